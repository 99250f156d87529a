import {
  noAdditions,
  prepareHost,
  templateValues,
  type PreparedHost,
  type Subscriber,
  type SubscriptionHost,
} from '@causeway/subscription'

// Sample users and hosts for the tests of this package.

/** The sample key pair of the wire's test vectors. It is not in use anywhere. */
export const privateKey = '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA'
export const publicKey = 'ZsytdQM4qCkODG97moJN_6HY3eB5HyCxo5AcFswv8D0'
/** Stands for a seed of ML-KEM-768 and for what is made of it; both are longer in truth. */
export const seed = 'S'.repeat(86)
const encapsulationKey = 'E'.repeat(1579)
export const now = new Date('2025-06-15T12:00:00.000Z')
export const url = 'https://sub.example.com/k3Vd_8QwZp0aXr2T'

export function makeUser(fields: Partial<Subscriber> = {}): Subscriber {
  return {
    shortUuid: 'k3Vd_8QwZp0aXr2T',
    username: 'alice',
    status: 'ACTIVE',
    usedTrafficBytes: 5_368_709_120,
    lifetimeUsedTrafficBytes: 7_730_941_132,
    trafficLimitBytes: 53_687_091_200,
    trafficLimitStrategy: 'MONTH',
    expireAt: new Date('2025-06-28T13:00:00.000Z'),
    tag: 'TRIAL',
    email: null,
    telegramId: 123456789,
    id: 7,
    description: null,
    hwidDeviceLimit: null,
    createdAt: new Date('2025-01-02T03:04:05.000Z'),
    lastTrafficResetAt: null,
    vlessUuid: '550e8400-e29b-41d4-a716-446655440000',
    trojanPassword: 'tr/pw',
    ssPassword: 'sspw',
    ...fields,
  }
}

export interface SampleInbound {
  protocol: string
  settings?: Record<string, unknown>
  streamSettings?: Record<string, unknown>
}

export function makeHost(inbound: SampleInbound, fields: Partial<SubscriptionHost> = {}): SubscriptionHost {
  return {
    uuid: '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10',
    viewPosition: 1,
    remark: 'host',
    address: 'node.example.com',
    port: 443,
    path: null,
    sni: null,
    host: null,
    alpn: null,
    fingerprint: null,
    isDisabled: false,
    isHidden: false,
    securityLayer: 'DEFAULT',
    xHttpExtraParams: null,
    muxParams: null,
    sockoptParams: null,
    serverDescription: null,
    tags: [],
    overrideSniFromAddress: false,
    vlessRouteId: null,
    shuffleHost: false,
    mihomoX25519: false,
    allowInsecure: false,
    ...noAdditions,
    inbound: {
      uuid: '0d6f6f0e-7b0f-4a7e-8f5c-1a2b3c4d5e6f',
      profileUuid: '0d6f6f0e-7b0f-4a7e-8f5c-1a2b3c4d5e60',
      tag: 'IN',
      type: inbound.protocol,
      rawInbound: { tag: 'IN', port: 8443, ...inbound },
    },
    ...fields,
  }
}

export function prepare(inbound: SampleInbound, fields: Partial<SubscriptionHost> = {}): PreparedHost {
  const prepared = prepareHost(makeHost(inbound, fields), publicKeyOf)
  if (!prepared) throw new Error(`${inbound.protocol} carries no users`)
  return prepared
}

export function publicKeyOf(key: string): string {
  if (key === seed) return encapsulationKey
  if (key !== privateKey) throw new Error('not the sample key')
  return publicKey
}

export function valuesOf(user: Subscriber) {
  return templateValues(user, url, now)
}

/** The same numbers in every run. */
export function seededRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
