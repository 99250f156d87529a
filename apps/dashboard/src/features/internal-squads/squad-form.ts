import type { CallInput, Inbound, InternalSquad, updateInternalSquad } from '@causeway/contract'
import type { TFunction } from 'i18next'
import { isSameSet } from '../../api/edit-merge.ts'
import { defineForm, type FormOf, type WireFields } from '../../api/form-table.ts'

/** The name has a dialog of its own. */
type SquadWire = WireFields<CallInput<typeof updateInternalSquad>, 'uuid' | 'name'>
export type SquadForm = FormOf<SquadWire, { inbounds: readonly Inbound[] }>

export const squadForm = defineForm<SquadForm, SquadWire, InternalSquad, TFunction<'internal-squads'>>({
  inbounds: {
    label: (t) => t('inboundsChosen'),
    empty: () => [],
    fromEntity: (squad) => squad.inbounds,
    toWire: (inbounds) => inbounds.map(({ uuid }) => uuid),
    isSame: isSameSet(({ uuid }) => uuid),
    inWords: (inbounds) => inbounds.map(({ tag }) => tag).join(', ') || '–',
  },
})

export function uuidsOf({ inbounds }: SquadForm): string[] {
  return inbounds.map(({ uuid }) => uuid)
}
