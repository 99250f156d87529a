import type { NoticeMessage } from '@causeway/contract'
import { Anchor, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { DrawerFrame, FrameFooter } from '../../ui/frames/frames.tsx'
import { EmptyState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { StateBadge } from './messages-columns.tsx'
import { useNoticeActions } from './notices.queries.ts'
import classes from './notices.module.css'

/** One message with its receiver and the answer. */
export function MessageDrawer({ messages }: { messages: readonly NoticeMessage[] }) {
  const { t } = useTranslation('notices')
  const dialog = useDialog('message')
  const uuid = useLingering(dialog.value)
  const message = messages.find((each) => each.uuid === uuid)
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('messages.one')} width={560}>
      {message === undefined ? <EmptyState title={t('messages.gone')} /> : <Details message={message} />}
    </DrawerFrame>
  )
}

function Details({ message }: { message: NoticeMessage }) {
  const { t } = useTranslation('notices')
  const { resend } = useNoticeActions()
  return (
    <>
      <div className={classes['rowLine']}>
        <bdi className={classes['rowWay']}>{message.wayName}</bdi>
        <RelativeTime at={message.at} />
        <StateBadge state={message.state} />
      </div>
      <section className={classes['said']} aria-label={t('messages.one')}>
        <h3 dir="auto">{message.title}</h3>
        <ul>
          {message.lines.map(({ text, url }) => (
            <li key={text} dir="auto">
              {url === null ? text : <Anchor href={url}>{text}</Anchor>}
            </li>
          ))}
        </ul>
      </section>
      {message.error !== null && (
        <p className={classes['error']} role="status">
          {inOurWords(message.error)}
        </p>
      )}
      {message.answer !== null && message.answer !== '' && (
        <div className={classes['said']}>
          <div className={classes['note']}>{t('test.said')}</div>
          <pre dir="ltr">{message.answer}</pre>
        </div>
      )}
      <FrameFooter>
        <Button
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={resend.isPending}
          disabled={message.state === 'waiting'}
          onClick={() => resend.mutate({ uuid: message.uuid })}
        >
          {t('messages.resend')}
        </Button>
      </FrameFooter>
    </>
  )
}
