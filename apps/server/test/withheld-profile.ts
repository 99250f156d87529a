export const PRIVATE_KEY = 'oMa6wRu5LXgJ3nmpVZyRLdvPEPdHtSN4Z5KC4NxhPHs'

/** A profile with one inbound, whose key must not leave. */
export const profileOf = (port: number, tag = 'TAG') => ({
  inbounds: [
    {
      tag,
      port,
      protocol: 'vless',
      settings: { clients: [], decryption: 'none' },
      streamSettings: {
        network: 'raw',
        security: 'reality',
        realitySettings: { privateKey: PRIVATE_KEY, shortIds: [''], serverNames: ['a.example'], target: 'a.example:443' },
      },
    },
  ],
  outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }],
})
