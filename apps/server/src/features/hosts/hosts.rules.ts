import type { Input, updateHost } from '@causeway/contract'

type HostEdit = Partial<Omit<Input<typeof updateHost>, 'uuid' | 'inbound' | 'nodes'>>

/** The columns that an edit sets: absent stays, null clears. Empty objects of client parameters mean none. */
export function hostColumns({ address, xHttpExtraParams, muxParams, sockoptParams, ...fields }: HostEdit) {
  return {
    ...fields,
    // A time says that it is disabled until then.
    ...(fields.disabledUntil ? { isDisabled: true } : {}),
    ...(address === undefined ? {} : { address: address.trim() }),
    ...(xHttpExtraParams === undefined ? {} : { xHttpExtraParams: jsonOrNull(xHttpExtraParams) }),
    ...(muxParams === undefined ? {} : { muxParams: jsonOrNull(muxParams) }),
    ...(sockoptParams === undefined ? {} : { sockoptParams: jsonOrNull(sockoptParams) }),
  }
}

function jsonOrNull(value: unknown): string | null {
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return isEmpty ? null : JSON.stringify(value)
}
