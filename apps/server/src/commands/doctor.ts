import { DOCTOR_CHECKS, type DoctorFinding, type DoctorState } from '@causeway/contract'
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { buildInfo } from '../features/build/build.actions.ts'
import { examine } from '../features/doctor/doctor.actions.ts'
import { isWrong } from '../features/doctor/doctor.rules.ts'
import { sentenceOf } from '../features/doctor/words.rules.ts'

const MARKS: Record<DoctorState, string> = { ok: 'ok', warning: 'WARNING', bad: 'WRONG', unknown: 'unknown' }
const MARK_WIDTH = 9
const CHECK_WIDTH = Math.max(...DOCTOR_CHECKS.map(({ length }) => length)) + 2

/** `causeway doctor`: each check with its state and what to do. Exit code 1 when something is wrong. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('look for what is wrong with this installation')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json: isJson = false }: { json?: boolean }) => {
      const config = readConfig()
      const { commit } = await buildInfo({ config })
      const findings = await examine(config, commit)
      console.log(
        isJson ? JSON.stringify({ isWrong: isWrong(findings), findings: findings.map(withSentence) }) : inLines(findings),
      )
      if (isWrong(findings)) process.exitCode = 1
    })
}

function withSentence(finding: DoctorFinding): DoctorFinding & { sentence: string } {
  return { ...finding, sentence: sentenceOf(finding) }
}

function inLines(findings: DoctorFinding[]): string {
  return findings
    .map((finding) => `${MARKS[finding.state].padEnd(MARK_WIDTH)}${finding.check.padEnd(CHECK_WIDTH)}${sentenceOf(finding)}`)
    .join('\n')
}
