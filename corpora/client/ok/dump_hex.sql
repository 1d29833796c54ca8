/*M!999999\- enable the sandbox mode */ 

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
DROP TABLE IF EXISTS `crate`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `crate` (
  `id` int(11) NOT NULL,
  `note` text DEFAULT NULL,
  `tag` varbinary(40) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `crate` WRITE;
/*!40000 ALTER TABLE `crate` DISABLE KEYS */;
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (1,'anchor',0x6372616E65);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (2,'left | right',0x7C);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (3,'tab	here',0x780979);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (4,'top\nmiddle\r\nend','');
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (5,NULL,NULL);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (6,'NULL',0x5C4E);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (7,'say \"no\" or \'yes\' \\ slash',0x22);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (8,'港口の倉庫',0xE6B8AF);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (9,'boat 🚢 and flag 🇳🇴',0xF09F9AA2);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (10,'','');
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (11,'nul\0inside',0x6100);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (12,'<td>&lt; \"q\" &amp;',0x3C3E26);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (13,'  wide  ',0x20);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (14,'+-------+',0x7C2061207C2062207C);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (15,'Status: x\nnote: y',0x6E6F74653A2031);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (16,'café Ångström ñ',0xC3A9);
INSERT INTO `crate` (`id`, `note`, `tag`) VALUES (17,'1 row in set (0.00 sec)',0x2D2D);
/*!40000 ALTER TABLE `crate` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

