import type { Node, ServerCertificate } from '@causeway/contract'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { ActionLink, NodeLink, type AnyItem } from './attention-row.tsx'
import classes from '../home.module.css'

/** More than these are one failure, which the first of them shows. */
const MOST_SHOWN = 5

/** Certificates of the server itself that could not be got or renewed. */
export function failedCertificateItems(certificates: readonly ServerCertificate[], now: number, t: TFunction<'home'>): AnyItem[] {
  return certificates.flatMap(({ name, endsAt, failure, detail, nextTryAt }) => {
    if (failure === null) return []
    const isServed = endsAt !== null && Date.parse(endsAt) > now
    return {
      key: `certificate-${name}`,
      color: isServed ? 'yellow' : 'red',
      state: t(isServed ? 'attention.notRenewed' : 'attention.noCertificate'),
      note: t(`attention.acme.${failure}`, { name }),
      what: (
        <>
          <bdi title={detail ?? undefined}>{name}</bdi>
          <span>
            {t('attention.nextTry')} <RelativeTime at={nextTryAt} />
          </span>
        </>
      ),
      action: <InstallationAction of={name} label={t('attention.action.details')} />,
    }
  })
}

/** Certificates of server and nodes that end soon. */
export function endingCertificateItems(
  nodes: readonly (Node & { certificateExpiresAt: string })[],
  authorityExpiresAt: string | undefined,
  now: number,
  t: TFunction<'home'>,
): AnyItem[] {
  const authority = t('attention.authority')
  return [
    ...(authorityExpiresAt === undefined
      ? []
      : [
          {
            key: 'authority',
            color: 'red' as const,
            state: t('attention.authorityEnds'),
            note: t('attention.authorityHelp'),
            what: (
              <>
                <Link to="/dashboard/utils/installation" className={classes['link']}>
                  {authority}
                </Link>
                <RelativeTime at={authorityExpiresAt} />
              </>
            ),
            action: <InstallationAction of={authority} label={t('attention.action.details')} />,
          },
        ]),
    ...nodes.slice(0, MOST_SHOWN).map((node) => {
      const isOver = Date.parse(node.certificateExpiresAt) <= now
      return {
        key: `ends-${node.uuid}`,
        color: isOver ? ('red' as const) : ('yellow' as const),
        state: t(isOver ? 'attention.certificateEnded' : 'attention.certificateEnds'),
        note: t('attention.certificateHelp'),
        what: (
          <>
            <NodeLink node={node} />
            <RelativeTime at={node.certificateExpiresAt} />
          </>
        ),
        action: (
          <ActionLink
            of={node.name}
            label={t('attention.action.key')}
            link={(props) => <Link to="/dashboard/management/nodes" search={{ edit: node.uuid }} {...props} />}
          />
        ),
      }
    }),
  ]
}

export function InstallationAction({ of, label }: { of: string; label: string }) {
  return <ActionLink of={of} label={label} link={(props) => <Link to="/dashboard/utils/installation" {...props} />} />
}
