/**
 * Also the start of Mihomo. One group that every proxy is added to; all traffic goes there but that of the local network.
 * The mode is `rule`: `global` begins with DIRECT in a fresh app, which then goes past the proxy.
 */
export const clashTemplate = `mixed-port: 7890
socks-port: 7891
redir-port: 7892
allow-lan: true
mode: rule
log-level: info
external-controller: 127.0.0.1:9090

dns:
  enable: true
  use-hosts: true
  enhanced-mode: fake-ip
  fake-ip-range: 198.18.0.1/16
  default-nameserver:
    - 1.1.1.1
    - 8.8.8.8
  nameserver:
    - 1.1.1.1
    - 8.8.8.8
  # Names that must resolve to real addresses: the local network, clocks, calls, consoles, connectivity checks.
  fake-ip-filter:
    - '*.lan'
    - '*.local'
    - '*.localdomain'
    - '*.home.arpa'
    - 'time.*.com'
    - 'time.*.gov'
    - 'ntp.*.com'
    - '*.ntp.org'
    - 'pool.ntp.org'
    - 'stun.*.*'
    - 'stun.*.*.*'
    - '+.stun.*.*'
    - '+.stun.*.*.*'
    - '*.srv.nintendo.net'
    - '+.stun.playstation.net'
    - 'xbox.*.microsoft.com'
    - '*.xboxlive.com'
    - 'www.msftconnecttest.com'
    - 'www.msftncsi.com'
    - 'captive.apple.com'
    - 'connectivitycheck.gstatic.com'
    - 'detectportal.firefox.com'

proxies:

proxy-groups:
  - name: Causeway
    type: select
    proxies:

rules:
  - IP-CIDR,10.0.0.0/8,DIRECT,no-resolve
  - IP-CIDR,127.0.0.0/8,DIRECT,no-resolve
  - IP-CIDR,169.254.0.0/16,DIRECT,no-resolve
  - IP-CIDR,172.16.0.0/12,DIRECT,no-resolve
  - IP-CIDR,192.168.0.0/16,DIRECT,no-resolve
  - IP-CIDR6,fc00::/7,DIRECT,no-resolve
  - IP-CIDR6,fe80::/10,DIRECT,no-resolve
  - MATCH,Causeway
`
