import type { Generation } from './generations.ts'

/** Programs under the names by which people know them, the newest generation first, and what each speaks. */
export const programs = [
  { name: 'Python SDK 3.4', generation: '3.4' },
  { name: 'Jolymmiels Telegram shop, from 4.2', generation: '3.4' },
  { name: 'Bedolaga 4', generation: '3.3' },
  { name: 'remnawave-admin 4', generation: '3.3' },
  { name: 'remnawave-limiter 4', generation: '3.3' },
  { name: 'Subscription page 8', generation: '3.3' },
  { name: 'Terraform provider', generation: '3.3' },
  { name: 'MCP server', generation: '3.3' },
  { name: 'Bedolaga 3', generation: '2.8' },
  { name: 'remnashop', generation: '2.8' },
  { name: 'minishop', generation: '2.8' },
  { name: 'Jolymmiels Telegram shop 3.5 to 4.1', generation: '2.8' },
  { name: 'Subscription page 7', generation: '2.8' },
  { name: 'Telegram mini app', generation: '2.8' },
  { name: 'Subscription middleware', generation: '2.8' },
  { name: 'STEALTHNET', generation: '2.8' },
  { name: 'Python SDK 2.7 and 2.8', generation: '2.8' },
  { name: 'Jolymmiels Telegram shop up to 3.2.4', generation: '2.1' },
  { name: 'Homepage', generation: '2.1' },
  { name: 'remnawave-json', generation: '2.1' },
  { name: 'Python SDK 2.1 to 2.6', generation: '2.1' },
] as const satisfies readonly { name: string; generation: Generation }[]
