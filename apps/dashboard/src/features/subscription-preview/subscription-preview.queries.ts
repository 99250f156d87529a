import { previewSubscription, searchAll, listUserHwidDevices, type CallInput } from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '../../api/api-query.ts'
import { seconds } from '../../lib/time/durations.ts'

type Ask = CallInput<typeof previewSubscription>
/** Unsaved parts. */
export type PreviewDraft = Pick<Ask, 'settings' | 'templates' | 'hosts' | 'externalSquadUuid'>

/** Asked once what is wanted has come to rest; until then what was shown before stays. */
export const previewQuery = (ask: Ask, isSettled: boolean) =>
  apiQuery(previewSubscription, ask, {
    enabled: isSettled,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    quiet: true,
  })
export const foundUsersQuery = (text: string) =>
  apiQuery(searchAll, { text }, { enabled: text !== '', staleTime: seconds(10), placeholderData: keepPreviousData, quiet: true })
export const devicesOfQuery = (userUuid: string | undefined) =>
  apiQuery(
    listUserHwidDevices,
    { userUuid: userUuid ?? '' },
    { enabled: userUuid !== undefined, staleTime: seconds(20), quiet: true },
  )
