import { useTranslation } from 'react-i18next'
import { TimeCell } from '../../ui/rows/cells.tsx'
import { MiddleText } from '../../ui/middle-text.tsx'
import { DeviceMenu } from './device-menu.tsx'
import { UserLink } from './devices-columns.tsx'
import type { FoundDevice } from './hwid.queries.ts'
import classes from './hwid.module.css'

/** A device on a narrow screen. */
export function DeviceCard({ device }: { device: FoundDevice }) {
  const { t } = useTranslation('hwid')
  const what = [device.deviceModel, device.platform, device.osVersion].filter((part) => part !== null && part !== '').join(' · ')
  return (
    <div className={classes['card']}>
      <div className={classes['cardLine']}>
        <UserLink device={device} />
        <span className={classes['push']} />
        <DeviceMenu device={device} />
      </div>
      <div className={classes['cardLine']}>
        <MiddleText text={device.hwid} />
      </div>
      <div className={classes['cardLine']}>
        <bdi className={classes['cardWhat']}>{what === '' ? t('stats.unknown') : what}</bdi>
        <TimeCell at={device.updatedAt} />
      </div>
    </div>
  )
}
