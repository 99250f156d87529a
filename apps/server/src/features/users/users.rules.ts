const SECRETS = new Set(['shortUuid', 'trojanPassword', 'vlessUuid', 'ssPassword', 'subscriptionUrl', 'happ'])

/** The part of a user that may stand in the audit log: whoever reads that must not be able to use anyone's subscription. */
export function withoutSecrets(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !SECRETS.has(key)))
}
