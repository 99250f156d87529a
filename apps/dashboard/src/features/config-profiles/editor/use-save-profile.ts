import { updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { jsonFault, type JsonFault } from '@causeway/xray'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../api/call-error.ts'
import { excessOf } from '../../../api/call.ts'
import { showError, showFailure } from '../../../api/toasts.ts'
import type { Change } from '../../../api/use-edit-form.ts'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { useUpdateConfigProfile } from '../config-profiles.queries.ts'
import { useStartRollout } from '../rollouts/rollouts.queries.ts'
import { usePlanDialog } from './plan-dialog.tsx'
import { readConfig } from './panel-problem.ts'
import type { Verdict } from './verdict.ts'

export type ProfileText = { text: string }

interface Saving {
  profile: ConfigProfile
  text: string
  textOf: (profile: ConfigProfile) => string
  onSaved: () => void
  onRollout: () => void
  /** Where the text is no JSON, or not all of it would be kept. */
  onFault: (fault: JsonFault) => void
  /** The server does not take the text; why is the verdict by then. */
  onRefused: () => void
}

/** The ways of a text to the nodes: everywhere at once, or to one of them first; against Xray's word, if that is wanted. */
export function useSaveProfile({ profile: { uuid, nodes }, text, textOf, ...on }: Saving) {
  const { t } = useTranslation('profile-editor')
  const [said, setSaid] = useState<{ text: string; verdict: Verdict }>()
  const update = useUpdateConfigProfile({
    onSaved: (profile) => {
      on.onSaved()
      note(textOf(profile), true, null)
    },
    onFailure: (error) => {
      showFailure(updateConfigProfile, error)
      // A missing answer says nothing of the text.
      if (error instanceof CallError && error.isUnanswered) return
      note(text, false, (error instanceof CallError ? error.serverMessage : undefined) ?? error.message)
      on.onRefused()
    },
  })
  const start = useStartRollout({ onStarted: on.onRollout })
  const confirm = useConfirm()
  const { ask, dialog } = usePlanDialog()

  function note(of: string, isValid: boolean, message: string | null): void {
    setSaid({ text: of, verdict: { isValid, by: 'server', message, at: new Date() } })
  }
  /** Xray reads comments and more that JSON has not, and the last of two equal keys; the panel keeps JSON, and all of it. */
  function keptConfig(of: string): Record<string, unknown> | undefined {
    const config = readConfig(of)
    const fault = jsonFault(of)
    if (config !== undefined && !fault) return config
    showError(t('error'), t(fault?.kind === 'lost' ? 'notKept' : 'notJson'))
    if (fault) on.onFault(fault)
    return undefined
  }
  async function send(
    { values }: Change<ProfileText>,
    isFresh: () => Promise<boolean>,
    given?: string,
  ): Promise<ConfigProfile | undefined> {
    const config = keptConfig(values.text)
    if (config === undefined) return undefined
    const excess = excessOf(updateConfigProfile, JSON.stringify({ uuid, config }))
    if (excess !== undefined) {
      showError(t('error'), excess)
      return undefined
    }
    const decision = await ask({ uuid, config, hasNodes: nodes.length > 0, ...(given === undefined ? {} : { reason: given }) })
    // A plan is read for a while; a colleague's save meanwhile is not overwritten unseen.
    if (!decision || !(await isFresh())) return undefined
    const { renamed, followingHosts, reason, staged } = decision
    const change = {
      uuid,
      config,
      ...(renamed.length > 0 ? { renamed } : {}),
      ...(followingHosts.length > 0 ? { followingHosts } : {}),
      ...(reason === '' ? {} : { reason }),
    }
    if (staged === undefined) return update.mutateAsync(change)
    await start.mutateAsync({ ...change, ...staged })
    return undefined
  }
  /** Whether it is to be saved although it is said to be wrong. What the panel itself does not take is not asked about. */
  async function isMeant({ by, message }: Verdict): Promise<boolean> {
    if (keptConfig(text) === undefined) return false
    const reason = message ?? ''
    if (by === 'panel' || by === 'text') {
      showError(t('error'), t('anyway.panel', { reason }))
      return false
    }
    const body = by === 'server' ? t('anyway.refused', { reason }) : t(by === 'none' ? 'anyway.unchecked' : 'anyway.body')
    return confirm({ title: t('anyway.title'), body, action: t('anyway.action'), isDangerous: true })
  }
  return { send, isMeant, said, dialog }
}
