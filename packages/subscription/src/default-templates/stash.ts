/** Stash knows scripts and process rules; QUIC is refused so that apps fall back to TCP, which the proxies carry better. */
export const stashTemplate = `mode: rule
log-level: warning

dns:
  default-nameserver:
    - 1.1.1.1
    - 8.8.8.8
  nameserver:
    - 1.1.1.1
    - 8.8.8.8

script:
  shortcuts:
    quic: network == 'udp' and dst_port == 443

proxies:

proxy-groups:
  - name: Causeway
    type: select
    proxies:

rules:
  - SCRIPT,quic,REJECT
  - DOMAIN-SUFFIX,push.apple.com,DIRECT
  - DOMAIN,api.push.apple.com,DIRECT
  - DOMAIN,init.push.apple.com,DIRECT
  - PROCESS-NAME,aria2c,DIRECT
  - PROCESS-NAME,qbittorrent,DIRECT
  - PROCESS-NAME,Transmission,DIRECT
  - PROCESS-NAME,xray,DIRECT
  - PROCESS-NAME,sing-box,DIRECT
  - PROCESS-NAME,ss-local,DIRECT
  - GEOIP,lan,DIRECT,no-resolve
  - MATCH,Causeway
`
