import type { Backups, tryBackupTarget, updateBackupTargets, Input } from '@causeway/contract'

export type TargetsForm = {
  isLogSent: boolean
  folder: string
  hasStore: boolean
  endpoint: string
  region: string
  bucket: string
  prefix: string
  isPathStyle: boolean
  authority: string
  accessKeyId: string
  secretAccessKey: string
}

export const STORE_TEXTS = ['endpoint', 'region', 'bucket', 'prefix', 'accessKeyId', 'secretAccessKey', 'authority'] as const
const STORE_NAMES = ['hasStore', 'isPathStyle', ...STORE_TEXTS] as const

export function toForm({ targets }: Backups): TargetsForm {
  const store = targets?.store
  return {
    isLogSent: targets?.isLogSent ?? false,
    folder: targets?.folder ?? '',
    hasStore: Boolean(store),
    endpoint: store?.endpoint ?? '',
    region: store?.region ?? 'us-east-1',
    bucket: store?.bucket ?? '',
    prefix: store?.prefix ?? '',
    isPathStyle: store?.isPathStyle ?? true,
    authority: store?.authority ?? '',
    accessKeyId: store?.accessKeyId ?? '',
    secretAccessKey: '',
  }
}

type StoreInput = NonNullable<Input<typeof tryBackupTarget>['store']>

/** An empty secret keeps the one that is held. */
export function toStore(values: TargetsForm): StoreInput {
  const { endpoint, region, bucket, prefix, isPathStyle, authority, accessKeyId, secretAccessKey } = values
  return {
    endpoint: endpoint.trim(),
    region: region.trim(),
    bucket: bucket.trim(),
    prefix: prefix.trim().replaceAll(/^\/+|\/+$/g, ''),
    isPathStyle,
    authority: authority.trim() === '' ? null : `${authority.trim()}\n`,
    accessKeyId: accessKeyId.trim(),
    ...(secretAccessKey.trim() === '' ? {} : { secretAccessKey: secretAccessKey.trim() }),
  }
}

export function toPatch(values: TargetsForm, changed: ReadonlySet<keyof TargetsForm>): Input<typeof updateBackupTargets> {
  const isStoreChanged = STORE_NAMES.some((name) => changed.has(name))
  return {
    ...(changed.has('isLogSent') ? { isLogSent: values.isLogSent } : {}),
    ...(changed.has('folder') ? { folder: values.folder.trim() === '' ? null : values.folder.trim() } : {}),
    ...(isStoreChanged ? { store: values.hasStore ? toStore(values) : null } : {}),
  }
}

/** Whether what a store needs is entered. */
export function isStoreWhole(values: TargetsForm, isSecretHeld: boolean): boolean {
  const needed = [values.endpoint, values.region, values.bucket, values.accessKeyId]
  if (!isSecretHeld) needed.push(values.secretAccessKey)
  return needed.every((text) => text.trim() !== '')
}
