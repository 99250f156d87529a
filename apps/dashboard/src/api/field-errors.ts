import i18n from 'i18next'
import { CallError, type Issue } from './call-error.ts'
import { inOurWords } from './server-sentences.ts'

export interface SplitErrors {
  /** Field name to message. */
  fields: Record<string, string>
  /** Complaints that belong to no field of the form. */
  others: string[]
}

/** Sorts the complaints of a failed call onto form fields. */
export function splitErrors(error: unknown): SplitErrors {
  const split: SplitErrors = { fields: {}, others: [] }
  if (!(error instanceof CallError)) return split
  for (const issue of error.issues) {
    const field = fieldOf(issue)
    if (field === undefined) split.others.push(issueText(issue))
    else split.fields[field] ??= issueText(issue)
  }
  const body = error.cause
  if (error.issues.length === 0 && typeof body === 'object' && body !== null) readOldForm(body, split)
  return split
}

/** The first complaint of each field, for a form that checks itself before sending. */
export function fieldErrorsOf(issues: readonly Issue[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const field = fieldOf(issue)
    if (field !== undefined) fields[field] ??= issueText(issue)
  }
  return fields
}

/** Parts of a body that hold fields of the form. */
const NESTING: readonly unknown[] = ['fields', 'telegram', 'email', 'webhook']

/** Bulk updates and ways for notices nest their fields: there the last name of the path counts. */
function fieldOf(issue: Issue): string | undefined {
  const path = issue.path[0] === 'change' ? issue.path.slice(1) : issue.path
  const first = NESTING.includes(path[0]) ? (path[1] ?? path[0]) : path[0]
  return first === undefined ? undefined : String(first)
}

/** The complaint in the reader's language; what we have no words for keeps the server's. */
export function issueText(issue: Issue): string {
  const kind = issue.type ?? issue.origin
  if (issue.code === 'too_small' && kind === 'string' && Number(issue.minimum) > 0) {
    if (Number(issue.minimum) === 1) return i18n.t('api:validation.texts.must not be empty')
    return i18n.t('api:validation.minLength', { count: Number(issue.minimum) })
  }
  if (issue.code === 'too_big' && kind === 'string') return i18n.t('api:validation.maxLength', { count: Number(issue.maximum) })
  const unusable = /^cannot be used: (.*)$/s.exec(issue.message)?.[1]
  if (unusable !== undefined) return i18n.t('api:validation.unusable', { reason: inOurWords(unusable) })
  // The library's own words name a type of the code.
  if (issue.message.startsWith('Invalid input')) return i18n.t('api:validation.wrongForm')
  // The texts of the contract are keys of this table, so a wording that changes there shows in English until translated.
  return i18n.t(`api:validation.texts.${issue.message}`, { defaultValue: sentence(inOurWords(issue.message)) })
}

/** Words of the contract follow the name of a field there. Below its field they begin as a sentence does. */
function sentence(text: string): string {
  return text.replace(/^(?=(is|lies|belongs|has) )/, 'this ').replace(/^\p{Ll}(?=\p{Ll}* )/u, (letter) => letter.toUpperCase())
}

/** Which field a name or an address that is in use already stands in, by the server's code and status. */
const TAKEN: Readonly<Record<string, string>> = {
  'A019 400': 'username',
  'A033 400': 'name',
  'A034 400': 'address',
  'A045 400': 'remark',
  'A114 409': 'name',
  'A120 409': 'name',
  'A130 409': 'name',
  'A131 409': 'name',
}

/** The field that a refusal of the whole request is about, with what the server says of it. */
export function takenField(error: unknown): { field: string; message: string } | undefined {
  if (!(error instanceof CallError) || error.serverMessage === undefined) return undefined
  const field = TAKEN[`${error.code} ${error.status}`]
  return field === undefined ? undefined : { field, message: error.serverMessage }
}

function readOldForm(body: object, split: SplitErrors): void {
  if ('formErrors' in body && Array.isArray(body.formErrors)) split.others.push(...body.formErrors.map(String))
  if ('fieldErrors' in body && typeof body.fieldErrors === 'object' && body.fieldErrors !== null) {
    for (const [name, messages] of Object.entries(body.fieldErrors)) {
      if (Array.isArray(messages)) split.fields[name] = messages.join(', ')
    }
  }
}
