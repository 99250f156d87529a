import type { Node, ServerCertificate } from '@causeway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { AttentionRow, NodeLink } from './attention-row.tsx'
import classes from './home.module.css'

/** More than these are one failure, which the first of them shows. */
const MOST_SHOWN = 5

interface Props {
  nodes: readonly (Node & { certificateExpiresAt: string })[]
  authorityExpiresAt: string | undefined
  now: number
}

/** Certificates of the server itself that could not be got or renewed. */
export function FailedCertificates({ certificates, now }: { certificates: readonly ServerCertificate[]; now: number }) {
  const { t } = useTranslation('home')
  return certificates.map(({ name, endsAt, failure, detail, nextTryAt }) => {
    if (failure === null) return null
    const isServed = endsAt !== null && Date.parse(endsAt) > now
    return (
      <AttentionRow
        key={name}
        color={isServed ? 'yellow' : 'red'}
        state={t(isServed ? 'attention.notRenewed' : 'attention.noCertificate')}
        note={t(`attention.acme.${failure}`, { name })}
      >
        <bdi title={detail ?? undefined}>{name}</bdi>
        <span>
          {t('attention.nextTry')} <RelativeTime at={nextTryAt} />
        </span>
      </AttentionRow>
    )
  })
}

/** Certificates of server and nodes that end soon. */
export function EndingCertificates({ nodes, authorityExpiresAt, now }: Props) {
  const { t } = useTranslation('home')
  return (
    <>
      {authorityExpiresAt !== undefined && (
        <AttentionRow color="red" state={t('attention.authorityEnds')} note={t('attention.authorityHelp')}>
          <Link to="/dashboard/utils/installation" className={classes['link']}>
            {t('attention.authority')}
          </Link>
          <RelativeTime at={authorityExpiresAt} />
        </AttentionRow>
      )}
      {nodes.slice(0, MOST_SHOWN).map((node) => {
        const isOver = Date.parse(node.certificateExpiresAt) <= now
        const state = t(isOver ? 'attention.certificateEnded' : 'attention.certificateEnds')
        return (
          <AttentionRow key={node.uuid} color={isOver ? 'red' : 'yellow'} state={state} note={t('attention.certificateHelp')}>
            <NodeLink node={node} />
            <RelativeTime at={node.certificateExpiresAt} />
          </AttentionRow>
        )
      })}
    </>
  )
}
