import {
  getProfileRevision,
  getResponseRulesRevision,
  getSnippetRevision,
  getTemplateRevision,
  listProfileRevisions,
  listResponseRulesRevisions,
  listSnippetRevisions,
  listTemplateRevisions,
} from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'

const reads = {
  profile: { list: listProfileRevisions, one: getProfileRevision },
  template: { list: listTemplateRevisions, one: getTemplateRevision },
  snippet: { list: listSnippetRevisions, one: getSnippetRevision },
  responseRules: { list: listResponseRulesRevisions, one: getResponseRulesRevision },
} as const

/** Things with a revision per save. */
export interface RevisedText {
  kind: keyof typeof reads
  uuid: string
}

export const revisionsQuery = ({ kind, uuid }: RevisedText) => apiQuery(reads[kind].list, { uuid }, { staleTime: 0 })

/** Revisions never change. */
export const revisionQuery = ({ kind, uuid }: RevisedText, number: number) =>
  apiQuery(reads[kind].one, { uuid, number }, { staleTime: Infinity })
