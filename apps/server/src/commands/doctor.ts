import { existsSync } from 'node:fs'
import path from 'node:path'
import { DOCTOR_CHECKS, type DoctorFinding, type DoctorState } from '@causeway/contract'
import { Command } from 'commander'
import { readConfig, type Config } from '../config.ts'
import { buildInfo } from '../features/build/build.actions.ts'
import { examine, type AskNode } from '../features/doctor/doctor.actions.ts'
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
      const findings = await examine(config, commit, askWithKeys(config))
      console.log(
        isJson ? JSON.stringify({ isWrong: isWrong(findings), findings: findings.map(withSentence) }) : inLines(findings),
      )
      if (isWrong(findings)) process.exitCode = 1
    })
}

/** Asks as the server does, with its keys. Where there are none yet, no node can be asked, and none are made. */
function askWithKeys({ DATABASE_URL, MASTER_KEY, dataDir }: Config): AskNode {
  return async (ports) => {
    const { runningUrl } = await import('../postgres/embedded-postgres.ts')
    const url = DATABASE_URL ?? (await runningUrl(dataDir))
    if (url === undefined || (MASTER_KEY === null && !existsSync(path.join(dataDir, 'master.key')))) return undefined
    const { connect } = await import('../db/driver/connect.ts')
    const { openSecretStore } = await import('../ground/secret-store.ts')
    const { readMasterKey } = await import('../lib/keys/master-key.ts')
    const { openAgents } = await import('../ground/agents.ts')
    const { reachFromNode } = await import('../features/connections/connections.actions.ts')
    const database = connect(url, { max: 1 })
    try {
      const { db } = database
      const agents = openAgents(await openSecretStore(db, readMasterKey(MASTER_KEY, dataDir)))
      try {
        return await reachFromNode({ db, agents }, ports)
      } finally {
        await agents.close()
      }
    } finally {
      await database.close()
    }
  }
}

function withSentence(finding: DoctorFinding): DoctorFinding & { sentence: string } {
  return { ...finding, sentence: sentenceOf(finding) }
}

function inLines(findings: DoctorFinding[]): string {
  return findings
    .map((finding) => `${MARKS[finding.state].padEnd(MARK_WIDTH)}${finding.check.padEnd(CHECK_WIDTH)}${sentenceOf(finding)}`)
    .join('\n')
}
