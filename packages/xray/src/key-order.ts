import type { XrayObject } from './config.ts'

const order = [
  'log',
  'api',
  'dns',
  'inbounds',
  'outbounds',
  'routing',
  'policy',
  'transport',
  'stats',
  'reverse',
  'fakedns',
  'metrics',
  'observatory',
  'burstObservatory',
]

/** Profiles are stored and shown with their sections in this order; sections it does not know follow as they were. */
export function orderSections(config: XrayObject): XrayObject {
  const known = order.filter((key) => Object.hasOwn(config, key))
  const rest = Object.keys(config).filter((key) => !order.includes(key))
  return Object.fromEntries([...known, ...rest].map((key) => [key, config[key]]))
}
