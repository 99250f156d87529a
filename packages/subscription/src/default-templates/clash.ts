/** Also the start of Mihomo. One group that every proxy is added to; all traffic goes there. */
export const clashTemplate = `mixed-port: 7890
socks-port: 7891
redir-port: 7892
allow-lan: true
mode: global
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
  - MATCH,Causeway
`
