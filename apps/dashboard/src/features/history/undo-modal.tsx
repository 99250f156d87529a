import type { UndoPlan } from '@causeway/contract'
import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FormFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { ChangedThings } from './changed-things.tsx'
import { Conflicts } from './conflicts.tsx'
import { entryQuery, planOfActorQuery, planQuery, readUndo, useUndo, useUndoOfActor, type UndoOne } from './history.queries.ts'
import { fieldLabel, sentenceOf } from './history-words.ts'
import { LeftThings } from './left-things.tsx'

/** The plan of an undo, and its confirmation. The entry stands in the address. */
export function UndoModal() {
  const { t } = useTranslation('history')
  const dialog = useDialog('undo')
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('undo.title')} width={720}>
      {dialog.value !== undefined && <One key={dialog.value} which={readUndo(dialog.value)} onDone={dialog.close} />}
    </ModalFrame>
  )
}

function One({ which, onDone }: { which: UndoOne; onDone: () => void }) {
  const { t } = useTranslation('history')
  const entry = useQuery(entryQuery(which.id))
  const plan = useQuery(planQuery(which))
  const sentence = entry.data && sentenceOf(t, entry.data)
  const undo = useUndo(sentence, () => void plan.refetch())
  // A second click may come before the first one is drawn.
  const isSent = useRef(false)
  function send(fingerprint: string, overwrite: string[], names: { id: string; value: string }[]): void {
    if (isSent.current) return
    isSent.current = true
    undo.mutate({ ...which, fingerprint, overwrite, names }, { onSuccess: onDone, onError: () => void (isSent.current = false) })
  }
  return (
    <>
      {sentence !== undefined && (
        <Text fw={600} mb="sm">
          <bdi>{sentence}</bdi>
        </Text>
      )}
      {which.only !== undefined && entry.data && (
        <Text size="sm" mb="sm">
          {t('undo.only', { number: entry.data.count })}
        </Text>
      )}
      <Planned plan={plan} isBusy={undo.isPending} onUndo={send} />
    </>
  )
}

interface OfActor {
  actor: string
  from: string
  to?: string | undefined
}

/** Everything that an actor did in a time, undone as a whole. */
export function UndoOfActorModal({ which }: { which: OfActor | undefined }) {
  const { t } = useTranslation('history')
  const dialog = useDialog('undoAll')
  const isOpen = dialog.value !== undefined && which !== undefined
  return (
    <ModalFrame isOpen={isOpen} onClose={dialog.close} title={t('undo.titleOfActor')} width={720}>
      {isOpen && <All which={which} onDone={dialog.close} />}
    </ModalFrame>
  )
}

function All({ which, onDone }: { which: OfActor; onDone: () => void }) {
  const plan = useQuery(planOfActorQuery(which))
  const undo = useUndoOfActor(() => void plan.refetch())
  return (
    <Planned
      plan={plan}
      isBusy={undo.isPending}
      isFixed
      onUndo={(fingerprint) => undo.mutate({ ...which, fingerprint }, { onSuccess: onDone })}
    />
  )
}

interface Props {
  plan: UseQueryResult<UndoPlan>
  isBusy: boolean
  /** Conflicts end it and are not chosen. */
  isFixed?: boolean
  onUndo: (fingerprint: string, overwrite: string[], names: { id: string; value: string }[]) => void
}

function Planned({ plan, isBusy, isFixed = false, onUndo }: Props) {
  const { t, i18n } = useTranslation('history')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  // Of the plan that was agreed to.
  const [agreed, setAgreed] = useState<string>()
  if (plan.isPending) return <LoadingRows />
  if (plan.isError) return <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />
  const { fingerprint, entries, isJob, changes, total, conflicts, taken, left, access, ways, nodes, stoppedAt } = plan.data
  const words = { t, exists: (key: string) => i18n.exists(key) }
  const nameOf = (id: string, proposal: string) => names.get(id) ?? proposal
  const isNameless = taken.some(({ id, proposal }) => nameOf(id, proposal).trim() === '')

  function submit(event: FormEvent): void {
    event.preventDefault()
    setAgreed(fingerprint)
    onUndo(
      fingerprint,
      [...chosen],
      taken.map(({ id, proposal }) => ({ id, value: nameOf(id, proposal).trim() })),
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {agreed !== undefined && agreed !== fingerprint && (
          <Alert color="yellow" p="xs">
            {t('undo.stale')}
          </Alert>
        )}
        {entries > 1 && <Text size="sm">{t('undo.entries', { number: entries })}</Text>}
        {isJob && <Text size="sm">{t('undo.asJob')}</Text>}
        {access.gain > 0 && <Text size="sm">{t('undo.gain', { number: access.gain })}</Text>}
        {access.lose > 0 && (
          <Alert color="yellow" p="xs">
            {t('undo.lose', { number: access.lose })}
          </Alert>
        )}
        {ways.more > 0 && <Text size="sm">{t('undo.more', { number: ways.more })}</Text>}
        {ways.fewer > 0 && <Text size="sm">{t('undo.fewer', { number: ways.fewer })}</Text>}
        {[...Map.groupBy(nodes, ({ core }) => core)].map(([core, some]) => {
          const text = t(`undo.cores.${core}`, { names: some.map(({ name }) => name).join(', ') })
          return core === 'restarts' || core === 'stops' ? (
            <Alert key={core} color="yellow" p="xs">
              {text}
            </Alert>
          ) : (
            <Text key={core} size="sm">
              {text}
            </Text>
          )
        })}
        {changes.some(({ table, change }) => table === 'apiTokens' && change === 'added') && (
          <Alert color="yellow" p="xs">
            {t('undo.tokenWorks')}
          </Alert>
        )}
        {stoppedAt !== null && (
          <Alert color="yellow" p="xs">
            {t('undo.stops', { id: stoppedAt })}
          </Alert>
        )}
        {taken.map(({ id, table, field, value, proposal }) => (
          <TextInput
            key={id}
            required
            label={t('undo.taken', { field: fieldLabel(words, table, field), value })}
            value={nameOf(id, proposal)}
            onChange={({ currentTarget }) => setNames(new Map([...names, [id, currentTarget.value]]))}
          />
        ))}
        {conflicts.length > 0 && (
          <Conflicts conflicts={conflicts}>
            {isFixed
              ? undefined
              : (id, label) => (
                  <Checkbox
                    aria-label={label}
                    checked={chosen.has(id)}
                    onChange={({ currentTarget }) =>
                      setChosen(new Set(currentTarget.checked ? [...chosen, id] : [...chosen].filter((other) => other !== id)))
                    }
                  />
                )}
          </Conflicts>
        )}
        {left.length > 0 && <LeftThings title={t('undo.left')} left={left} />}
        {total > 0 ? <ChangedThings things={changes} total={total} isPlan /> : <Text size="sm">{t('undo.nothing')}</Text>}
      </Stack>
      <FormFooter action={t('undo.button')} isBusy={isBusy} isDisabled={isNameless || (total === 0 && chosen.size === 0)} />
    </form>
  )
}
