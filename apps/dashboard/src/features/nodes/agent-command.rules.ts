/** How an agent gets onto its server. */
export type AgentSource = 'checkout' | 'package'

/** Installs what is missing and starts the agent, in one block for a shell. */
export function agentCommand(source: AgentSource, { pubKey, port }: { pubKey: string; port: number }): string {
  const key = pubKey.trim()
  if (source === 'checkout') return `SSL_CERT="${key}" NODE_PORT=${port} npm run agent`
  return [
    'sudo dpkg -i causeway-node_*.deb',
    `printf 'SECRET_KEY="%s"\\nNODE_PORT=%s\\n' '${key}' ${port} | sudo tee /etc/causeway/causeway-node.env > /dev/null`,
    'sudo systemctl restart causeway-node',
  ].join(' && ')
}
