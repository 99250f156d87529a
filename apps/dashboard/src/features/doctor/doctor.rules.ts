import { DOCTOR_CHECKS, type DoctorCheck, type DoctorFinding, type DoctorState } from '@causeway/contract'

/** From bad to good: the worst is read first. */
const WORST_FIRST: readonly DoctorState[] = ['bad', 'warning', 'unknown', 'ok']

export interface Examined {
  check: DoctorCheck
  state: DoctorState
  findings: DoctorFinding[]
}

/** Each check once with its findings and the worst of their states; wrong ones first, else in the order of the checks. */
export function byCheck(findings: readonly DoctorFinding[]): Examined[] {
  const rank = ({ state }: { state: DoctorState }) => WORST_FIRST.indexOf(state)
  return DOCTOR_CHECKS.flatMap((check) => {
    const own = findings.filter((finding) => finding.check === check).toSorted((a, b) => rank(a) - rank(b))
    return own[0] ? [{ check, state: own[0].state, findings: own }] : []
  }).toSorted((a, b) => rank(a) - rank(b))
}
