import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { agentCommand } from './agent-command.rules.ts'

test('a checkout starts the agent by one line with the key and the port', () => {
  expect(agentCommand('checkout', { pubKey: 'eyJr+/=\n', port: 2300 })).toBe('SSL_CERT="eyJr+/=" NODE_PORT=2300 npm run agent')
})

test('a package is installed, gets its key and port, and is started, by one line that a shell can read', () => {
  const command = agentCommand('package', { pubKey: 'eyJr+/=', port: 2300 })
  const [install, settings = '', start] = command.split(' && ')
  expect(install).toBe('sudo dpkg -i causeway-node_*.deb')
  expect(start).toBe('sudo systemctl restart causeway-node')
  const written = execFileSync('sh', ['-c', settings.replace(/\|.*/, '')]).toString()
  expect(written).toBe('SECRET_KEY="eyJr+/="\nNODE_PORT=2300\n')
})
