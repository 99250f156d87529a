import { z } from 'zod'

/** The parts of a link that an inbound has to agree with. Own addition. */
export const linkPart = z.enum(['protocol', 'port', 'transport', 'path', 'host', 'security', 'sni', 'keys'])
export type LinkPart = z.output<typeof linkPart>

export const misfit = z.object({
  part: linkPart,
  link: z.string().describe('what the link says; empty for keys'),
  inbound: z.string().describe('what the inbound takes; empty for keys'),
})
export type Misfit = z.output<typeof misfit>
