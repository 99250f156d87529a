/** From when to when a certificate counts. */
export interface Validity {
  validFrom: Date
  validTo: Date
}

/** A certificate is renewed when a third of its life is left: of three years one, of an hour twenty minutes. */
const SHARE_LEFT = 1 / 3
/** The authority earlier in its life than its nodes would notice: copies of it are everywhere. */
const AUTHORITY_SHARE_LEFT = 1 / 5

/** Whether an agent gets a new certificate: its own ends soon, or it has one from before the authority was renewed. */
export function isRenewalDue(certificate: Validity, authority: Validity, now: Date): boolean {
  const isFuture = certificate.validFrom > now
  return isFuture || certificate.validFrom < authority.validFrom || isNearEnd(certificate, SHARE_LEFT, now)
}

/** Also when it was made by a clock that was ahead: every node refuses it until then. */
export function isAuthorityRenewalDue(authority: Validity, now: Date): boolean {
  return authority.validFrom > now || isNearEnd(authority, AUTHORITY_SHARE_LEFT, now)
}

function isNearEnd({ validFrom, validTo }: Validity, share: number, now: Date): boolean {
  return validTo.getTime() - now.getTime() < (validTo.getTime() - validFrom.getTime()) * share
}
