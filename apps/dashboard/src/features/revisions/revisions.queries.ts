import {
  getProfileRevision,
  getSnippetRevision,
  getTemplateRevision,
  listProfileRevisions,
  listSnippetRevisions,
  listTemplateRevisions,
} from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'

/** Things with a revision per save. */
export interface RevisedText {
  kind: 'profile' | 'snippet' | 'template'
  uuid: string
}

export const revisionsQuery = ({ kind, uuid }: RevisedText) =>
  kind === 'profile'
    ? apiQuery(listProfileRevisions, { uuid }, { staleTime: 0 })
    : kind === 'snippet'
      ? apiQuery(listSnippetRevisions, { uuid }, { staleTime: 0 })
      : apiQuery(listTemplateRevisions, { uuid }, { staleTime: 0 })

/** Revisions never change. */
export const revisionQuery = ({ kind, uuid }: RevisedText, number: number) =>
  kind === 'profile'
    ? apiQuery(getProfileRevision, { uuid, number }, { staleTime: Infinity })
    : kind === 'snippet'
      ? apiQuery(getSnippetRevision, { uuid, number }, { staleTime: Infinity })
      : apiQuery(getTemplateRevision, { uuid, number }, { staleTime: Infinity })
