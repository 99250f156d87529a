-- Shipped templates that nobody has changed give way to those of this version: the first made fresh apps go past the proxy,
-- the second is refused by sing-box 1.13. What is missing is made anew when it is first read.
delete from "subscriptionTemplates" where md5("templateYaml") = '28186d33291c2b90999e69eb619344ce'
  or md5("templateJson"::text) = 'd4ab167e1d428a72e49d44bb0c8d029e';
