"""What the traces of corpora/oracle10046 add up to, worked out by hand.

sessions: (span, calls, waits, unaccounted) of each session, in ticks;
profile: event -> (time, count), all classes and sessions together;
tree: path of call types -> [(elapsed, self), ...] of its statements;
calls: statement -> {call: (count, elapsed)}; status: 0 unless given.
"""

CLEAN = {
    'sessions': [(1032, 4, 3, 179)],
    'profile': {'SQL*Net message from client': (700, 1),
                'SQL*Net message to client': (1, 1),
                'db file sequential read': (40, 1),
                'CPU PARSE': (20, 1), 'CPU EXEC': (30, 1),
                'CPU FETCH': (60, 1), 'CPU CLOSE': (2, 1)},
    'calls': {'2hacam48c6a8q': {'PARSE': (1, 22), 'EXEC': (1, 35),
                                'FETCH': (1, 100), 'CLOSE': (1, 2)}},
}

FIXED = {
    # versions
    'ok/v8i_centiseconds': {
        'sessions': [(1583, 4, 4, 1400)],
        'profile': {'CPU FETCH': (120, 2), 'latch free': (25, 1),
                    'db file scattered read': (7, 2),
                    'SQL*Net message from client': (30, 1)},
        'source': {'tick': '10ms'}},
    'ok/v92_waits_without_tim': {
        'sessions': [(262900, 4, 6, -7610)],
        'profile': {'db file sequential read': (9300, 2),
                    'SQL*Net message from client': (251200, 2),
                    'SQL*Net message to client': (10, 2)},
        'source': {'tick': '1us'}},
    'ok/v101_p1p2p3': {
        'sessions': [(3521, 2, 5, 303)],
        'profile': {'log file sync': (430, 1),
                    'db file sequential read': (880, 1)}},
    'ok/v102_linux_1024': {
        'sessions': [(40000180, 4, 3, 4078)],
        'source': {'clock_factor': '1.024', 'span_s': '40.000180'}},
    'ok/v1106_sqlid_without_plh': {
        'sessions': [(7902, 6, 2, 900)],
        'tree': {'EXEC': [(1500, 1383)], 'EXEC / FETCH': [(22, 22)]}},
    'ok/v11107_zero_elapsed': {
        'sessions': [(4600, 6, 0, 601)],
        'tree': {'EXEC': [(4600, 4600)], 'EXEC / CLOSE': [(0, 0)],
                 'EXEC / PARSE': [(0, 0)]}},
    'ok/v112_close_types': {
        'sessions': [(4120, 15, 4, 1515)],
        'calls': {'fjpkk6nb5sd23': {'PARSE': (2, 832), 'EXEC': (3, 118),
                                    'FETCH': (3, 86), 'CLOSE': (3, 24)},
                  '7upnbuw2j7w2z': {'PARSE': (1, 110), 'EXEC': (1, 31),
                                    'FETCH': (1, 55), 'CLOSE': (1, 6)}}},
    'ok/v121_container': {
        'sessions': [(8456, 3, 6, -906)],
        'profile': {'db file sequential read': (810, 2),
                    'gc cr grant 2-way': (140, 1)}},
    'ok/v122_iso_binds': {
        'sessions': [(2500373, 4, 3, 232)],
        'profile': {'SQL*Net message from client': (2499000, 1)}},
    'ok/v18c_error_after_exec': {
        'sessions': [(5522, 7, 4, 304)],
        'tree': {'EXEC': [(240, 173)], 'EXEC / PARSE': [(21, 21)]}},
    'ok/v19c_lob_and_close': {
        'sessions': [(11491, 6, 8, 1653)],
        'calls': {'(no statement)': {
            'LOBTMPCREATE': (1, 40), 'LOBWRITE': (1, 512),
            'LOBREAD': (1, 700)}}},
    'ok/v23c_free': {
        'sessions': [(3322, 4, 3, 247)],
        'profile': {'db file sequential read': (415, 1),
                    'SQL*Net message to client': (9, 1)}},
    'ok/windows_10g': {
        'sessions': [(17725, 3, 2, 1117)],
        'calls': {'8fzd9cnyt8h6a': {'PARSE': (1, 16100), 'EXEC': (1, 210),
                                    'FETCH': (1, 60)}}},
    'ok/demo': {
        'sessions': [(13856263, 108, 116, 6206)],
        'profile': {'SQL*Net message from client': (11861221, 23),
                    'enq: TX - row lock contention': (1843200, 1),
                    'db file scattered read': (45216, 26)}},
    # calls and time
    'ok/tree_three_levels': {
        'sessions': [(900, 5, 0, 500)],
        'tree': {'EXEC': [(900, 600)], 'EXEC / EXEC': [(300, 150)],
                 'EXEC / EXEC / EXEC': [(150, 90)],
                 'EXEC / EXEC / EXEC / PARSE': [(20, 20)],
                 'EXEC / EXEC / EXEC / EXEC': [(40, 40)]}},
    'ok/tree_big': {'sessions': [(18620, 234, 46, 5534)]},
    'ok/deep_recursion': {
        'sessions': [(2000, 71, 0, 1645)],
        'tree': {'EXEC': [(2000, 20)]}},
    'ok/orphans_before_parse': {
        'sessions': [(38460, 8, 6, 1619)],
        'profile': {'Streams AQ: waiting for messages in the queue':
                    (20000, 1), 'latch: cache buffers chains': (40, 1),
                    'CPU FETCH': (15000, 3), 'CPU EXEC': (999, 4)},
        'tree': {'(call not in trace)': [(9800, 0)],
                 '(call not in trace) / EXEC': [(800, 800)],
                 '(call not in trace) / FETCH': [(9000, 9000)],
                 'PARSE': [(60, 60)], 'EXEC': [(7000, 600)],
                 'EXEC / FETCH': [(6100, 6100)]}},
    'ok/recursion_between_calls': {
        'sessions': [(63631, 7, 5, 6375)],
        'tree': {'(call not in trace)': [(7600, 0)],
                 '(call not in trace) / EXEC': [(7600, 7600)],
                 'EXEC': [(40, 40)]}},
    'ok/no_depth_zero': {
        'sessions': [(8600, 5, 4, 4120)],
        'profile': {'CPU EXEC': (4000, 4), 'buffer busy waits': (480, 4)},
        'tree': {'(unfinished at end of trace)': [(4450, 0)]}},
    'ok/unfinished_end': {
        'sessions': [(2100, 6, 2, -800)],
        'tree': {'(unfinished at end of trace)': [(244, 0)],
                 '(unfinished at end of trace) / EXEC': [(240, 180)]}},
    'ok/error_names_run': {
        'sessions': [(810, 6, 0, 777)],
        'tree': {'(call not in trace)': [(30, 0), (50, 0), (70, 0)]}},
    'ok/sticks_out': {
        'sessions': [(950, 4, 0, 850)],
        'tree': {'EXEC': [(800, 600)], 'EXEC / EXEC': [(200, 200)]}},
    'ok/passed_over': {
        'sessions': [(500, 3, 0, 400)],
        'tree': {'EXEC': [(500, 430)],
                 'EXEC / EXEC': [(20, 20), (50, 50)]}},
    'ok/alien_error_clock': {'sessions': [(3152, 3, 2, 1520)]},
    'ok/cursor_reuse_10g': {
        'sessions': [(8190, 6, 1, 7690)],
        'calls': {'2012aas6vmc9g': {'PARSE': (1, 90), 'EXEC': (1, 1000),
                                    'FETCH': (1, 30)},
                  '8z980hsrd4asx': {'PARSE': (1, 80), 'EXEC': (1, 4000),
                                    'FETCH': (1, 40)}}},
    'ok/cursor_two_depths': {
        'sessions': [(450, 9, 0, 200)],
        'tree': {'EXEC': [(400, 301)],
                 'EXEC / EXEC': [(12, 12), (80, 63)]}},
    'ok/close_other_depth': {
        'sessions': [(1700, 4, 0, 1600)],
        'tree': {'EXEC': [(1600, 1569)], 'CLOSE': [(4, 4)]},
        'calls': {'gun2gfzp732gj': {'PARSE': (1, 11), 'EXEC': (1, 20),
                                    'CLOSE': (1, 4)}}},
    'ok/parsing_without_parse': {
        'sessions': [(250, 2, 1, 150)],
        'calls': {'4kc712w39murz': {'EXEC': (1, 55), 'FETCH': (1, 20)}}},
    'ok/many_executions': {
        'sessions': [(59150, 181, 0, 58650)],
        'calls': {'520mkxqpf15q8': {'PARSE': (1, 30), 'EXEC': (60, 360),
                                    'FETCH': (60, 240), 'CLOSE': (60, 60)}}},
    'ok/equal_tims': {
        'sessions': [(501, 5, 1, 401)],
        'tree': {'EXEC': [(500, 500)], 'EXEC / EXEC': [(0, 0)],
                 '(call not in trace) / EXEC': [(0, 0)]}},
    'ok/overlapping_calls': {'sessions': [(14660, 3, 1, 13610)]},
    'ok/overlap_two_us': {'sessions': [(9640, 2, 2, 635)]},
    'ok/cpu_above_elapsed': {
        'sessions': [(16000, 3, 0, 400)],
        'profile': {'CPU EXEC': (15600, 3)}},
    'ok/message_inside_fetch': {
        'sessions': [(1460, 4, 4, 396)],
        'profile': {'SQL*Net message to client': (12, 3)}},
    'ok/waits_and_owners': {'sessions': [(1150, 5, 4, 550)]},
    'ok/wait_before_parsing': {'sessions': [(440, 2, 1, 295)]},
    'ok/negative_ela': {
        'sessions': [(50, 1, 2, 35)],
        'profile': {'latch free': (5, 2)}},
    'ok/lob_calls': {
        'sessions': [(330220, 8, 6, 24931)],
        'calls': {'(no statement)': {
            'LOBREAD': (4, 15100), 'LOBPGSIZE': (1, 8),
            'LOBARRTMPFRE': (1, 5)}}},
    'ok/unmap_calls': {
        'sessions': [(6700, 3, 0, 3400)],
        'calls': {'9kyb9gfw93ycg': {
            'EXEC': (1, 5200), 'UNMAP': (1, 800), 'SORT UNMAP': (1, 450)}}},
    'ok/rpc_calls': {
        'sessions': [(4350, 4, 1, 3050)],
        'calls': {'(no statement)': {'RPC': (2, 3400)}}},
    'ok/seed_clock': {
        'sessions': [(13500, 5, 3, 703)],
        'profile': {'SQL*Net message from client': (9500, 2),
                    'db file sequential read': (3000, 1),
                    'CPU EXEC': (37, 2), 'CPU CLOSE': (50, 1)}},
    'ok/modules_and_users': {
        'sessions': [(8001000, 5, 3, 1100000)],
        'profile': {'SQL*Net message from client': (3000000, 2),
                    'db file sequential read': (3000000, 1),
                    'CPU EXEC': (400000, 2), 'CPU FETCH': (500000, 1)}},
    'ok/systemtap': {
        'sessions': [(2550, 6, 3, 1050)],
        'profile': {'CPU EXEC': (400, 3), 'CPU FETCH': (480, 1),
                    'CPU run queue': (107, None)}},
    'ok/px_slave': {'sessions': [(12114, 3, 2, 2070)]},
    'ok/xctend_forms': {'sessions': [(484, 3, 2, 134)]},
    'ok/even_timeline': {'sessions': [(3100000, 1, 1, 600000)]},
    # text and binds
    'ok/text_imitates_records': {
        'sessions': [(1032, 3, 2, 180)],
        'calls': {'7wwfkv2h18y7u': {'PARSE': (1, 22), 'EXEC': (1, 35),
                                    'CLOSE': (1, 1)}}},
    'ok/end_of_stmt_in_text': {
        'sessions': [(262, 4, 0, 223)],
        'calls': {'9zavdudm8pjy5': {'PARSE': (1, 22), 'EXEC': (1, 6)},
                  '9fusd37prv595': {'PARSE': (1, 11), 'EXEC': (1, 4)}}},
    'ok/missing_end_of_stmt': {
        'sessions': [(472, 5, 0, 402)],
        'calls': {'1kh5hq20cu8w6': {'PARSE': (1, 22), 'EXEC': (1, 33),
                                    'FETCH': (1, 9), 'CLOSE': (1, 1)},
                  '1rqd29uzs8ra1': {'PARSE': (1, 11)}}},
    'ok/text_lengths': {'sessions': [(110, 3, 0, 98)]},
    'ok/text_longer_len': {
        'sessions': [(570, 6, 0, 570)],
        'calls': {'0fsc58c3xtaag': {'EXEC': (1, 120)},
                  'dzv9sbfdntd9g': {'PARSE': (1, 20), 'EXEC': (1, 15),
                                    'FETCH': (1, 10)},
                  '484hj60ss8a0a': {'EXEC': (1, 140)},
                  'fmwctmhbg6rca': {'EXEC': (1, 50)}}},
    'ok/parse_error_text': {
        'sessions': [(60001000, 5, 3, 960)],
        'calls': {'a5dastgn7bdh6': {'PARSE': (1, 25)},
                  '947u75kk19pbn': {'PARSE': (1, 0), 'CLOSE': (1, 4)},
                  'gf5gkr71rpphj': {'PARSE': (1, 0), 'CLOSE': (1, 2)}}},
    'ok/array_dml': {'sessions': [(442, 2, 1, 221)]},
    'ok/bind_strings': {'sessions': [(342, 3, 0, 261)]},
    'ok/bind_types': {'sessions': [(850, 2, 0, 805)]},
    'ok/bind_dumps': {'sessions': [(1260, 2, 0, 260)]},
    'ok/stamp_in_binds': {'sessions': [(8400022, 2, 1, 4399972)]},
    'ok/same_hash_value': {
        'sessions': [(210, 3, 0, 210)],
        'calls': {'2j7unk0dw4cy8': {'EXEC': (2, 50)},
                  '02wj786paj0fn': {'EXEC': (1, 20)}}},
    'ok/literals': {'sessions': [(20300, 6, 0, 20000)]},
    'ok/one_id_many_cursors': {
        'sessions': [(21011, 6, 0, 20831)],
        'calls': {'c2gfgvgm9r0ck': {'PARSE': (3, 33), 'EXEC': (3, 600)}}},
    # lines, files, clocks
    'ok/clean': CLEAN,
    'ok/crlf': CLEAN,
    'ok/bom': CLEAN,
    'ok/nul_bytes': CLEAN,
    'ok/no_final_newline': CLEAN,
    'ok/mixed_line_ends': CLEAN,
    'ok/high_bytes': {'sessions': [(122, 2, 0, 72)]},
    'ok/wait_parameters': {
        'sessions': [(2000, 0, 12, 779)],
        'profile': {"it's (odd) & <named>": (5, 1),
                    'enq: TX - row lock contention': (300, 1)}},
    'ok/wait_forms': {
        'sessions': [(500, 2, 3, 359)],
        'profile': {'gc cr grant 2-way': (120, 2)}},
    'ok/glued_records': {
        'sessions': [(1182, 5, 3, 344)],
        'profile': {'SQL*Net message from client': (495, 2)},
        'calls': {'f03pk2f2y9bgg': {'PARSE': (1, 22), 'EXEC': (1, 21),
                                    'FETCH': (2, 382), 'CLOSE': (1, 2)}}},
    'ok/wrapped_records': {
        'sessions': [(4188, 3, 2, 1480)],
        'calls': {'944dxty6ywy1z': {'PARSE': (1, 188), 'EXEC': (1, 2900)},
                  '4mugsmpwchf25': {'PARSE': (1, 50)}}},
    'ok/stat_variants': {'sessions': [(62, 2, 0, 52)]},
    'ok/noise_between': {'sessions': [(3000230, 2, 1, 3000180)]},
    'ok/shared_server': {
        'sessions': [(10000440, 5, 4, 434), (10000480, 5, 2, 478)]},
    'ok/two_users': {
        'sessions': [(122, 2, 0, 2), (322, 2, 0, 2)],
        'profile': {'CPU EXEC': (400, 2), 'CPU PARSE': (40, 2)}},
    'ok/trcsess_merge': {
        'sessions': [(400600, 5, 1, 518), (500570, 5, 1, 487)]},
    'ok/repeated_header': {'sessions': [(70, 2, 0, 59), (80, 2, 0, 69)]},
    'ok/marker_values': {'sessions': [(20, 1, 0, 10)]},
    'ok/module_change': {'sessions': [(812, 6, 0, 502)]},
    'ok/QUAY1_ora_28114': {'sessions': [(132, 2, 1, 101)]},
    'ok/QUAY1_ora_28114_late': {'sessions': [(1083, 2, 1, 152)]},
    'ok/clock_wraps': {'sessions': [(4100, 3, 0, 4100)]},
    'ok/no_stamp': {'sessions': [(70, 2, 0, 50)]},
    'ok/zone_missing': {'sessions': [(250031, 2, 0, 250031)]},
    'ok/anchors_drift': {'sessions': [(9999400, 2, 0, 9999400)]},
    # cases that users met, as they look in another release or nesting
    'ok/bind_nchar': {'sessions': [(312, 2, 0, 272)]},
    'ok/bind_nchar_nested': {
        'sessions': [(262, 4, 0, 162)],
        'tree': {'EXEC': [(150, 95)]}},
    'ok/colons_in_text': {'sessions': [(312, 2, 0, 272)]},
    'ok/glued_nested': {
        'sessions': [(320, 7, 1, 315)],
        'tree': {'EXEC': [(150, 108)], 'EXEC / FETCH': [(10, 10)],
                 'EXEC / CLOSE': [(2, 2)], 'CLOSE': [(3, 3)]}},
    'ok/parse_error_nested': {
        'sessions': [(412, 5, 0, 352)],
        'tree': {'EXEC': [(90, 89)], 'EXEC / PARSE': [(0, 0)],
                 'EXEC / CLOSE': [(1, 1)]}},
    'ok/xctend_in_binds_old': {'sessions': [(440, 2, 0, 440)]},
    'ok/cursor_reuse_nested': {
        'sessions': [(522, 10, 0, 413)],
        'tree': {'EXEC': [(10, 10), (350, 133)],
                 'EXEC / EXEC': [(100, 100), (110, 62)],
                 'EXEC / EXEC / EXEC': [(40, 40)]}},
    'ok/unmap_nested': {
        'sessions': [(910, 6, 0, 410)],
        'tree': {'EXEC': [(800, 180)], 'EXEC / UNMAP': [(80, 80)],
                 'EXEC / SORT UNMAP': [(40, 40)], 'UNMAP': [(30, 30)]}},
    'ok/clock_wraps_8i': {
        'sessions': [(65, 3, 1, 52)], 'source': {'tick': '10ms'}},
    'ok/clock_wraps_waits': {
        'sessions': [(6000, 3, 2, 1300)],
        'profile': {'db file sequential read': (700, 1)}},
    'ok/drift_back_an_hour': {'sessions': [(1000200, 2, 1, 180)]},
    'ok/v92_waits_recursive': {
        'sessions': [(2543, 4, 5, 140)],
        'tree': {'EXEC': [(1900, 1530)], 'EXEC / EXEC': [(350, 350)]}},
    'ok/systemtap_missing': {
        'sessions': [(1150, 4, 1, 678)],
        'profile': {'CPU EXEC': (380, 2), 'CPU run queue': (-8, None)}},
    'ok/wait_clock_off': {
        'sessions': [(19100, 9, 12, 4088)],
        'profile': {'SQL*Net message from client': (15000, 6),
                    'SQL*Net message to client': (12, 6)}},
    'ok/starts_in_a_line': {'sessions': [(72, 2, 1, 42)]},
    # damage
    'bad/cut_in_recursion': {
        'status': 3, 'sessions': [(270, 3, 0, 270)],
        'tree': {'EXEC': [(150, 140)]}},
    'bad/size_limit_in_text': {'status': 3, 'sessions': [(26, 2, 0, 16)]},
    'bad/cut_record': {
        'status': 3, 'sessions': [(422, 3, 1, 370)],
        'source': {'rejected': '4', 'status': 'partial'}},
    'bad/glued_and_cut': {
        'status': 3, 'sessions': [(820, 2, 2, 139)],
        'profile': {'SQL*Net message from client': (180, 1)},
        'source': {'rejected': '1', 'repaired': '1', 'status': 'partial'}},
    'bad/spliced_stat': {'status': 3, 'sessions': [(72, 2, 0, 51)]},
    'bad/interleaved': {'status': 3},
    'bad/cut_last_line': {'status': 3, 'sessions': [(122, 2, 0, 72)]},
    # no CPU: all but the two waits
    'ok/anchors_set': {'sessions': [(18500200, 5, 2, 10000200)]},
    'ok/binds_interrupted': {'sessions': [(240, 3, 2, 150)]},
    'ok/unknown_keys': {'sessions': [(302, 3, 1, 295)]},
    'ok/glued_lobs': {'sessions': [(80, 6, 0, 78)]},
    'bad/size_limit_glued': {'status': 3, 'sessions': [(31, 2, 0, 31)]},
    'bad/size_limit_in_bind': {'status': 3, 'sessions': [(11, 1, 0, 11)]},
    'bad/binds_empty': {'status': 3, 'sessions': [(220, 3, 0, 220)]},
    'bad/size_limit': {'status': 3, 'sessions': [(45, 2, 0, 35)]},
    'bad/text_cut': {'status': 3, 'sessions': [(22, 1, 0, 2)]},
    'bad/not_a_trace': {'status': 1},
    'bad/empty': {'status': 1},
    'bad/binary': {'status': 1},
    'bad/optimizer_only': {'status': 1},
}
