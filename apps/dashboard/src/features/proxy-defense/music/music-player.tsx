import { ActionIcon, Alert, Button, Loader, Slider, Text } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconExternalLink,
  IconMusic,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import classes from './music-player.module.css'
import { music, playlist } from './music.queries.ts'
import { PIECES } from './pieces.ts'
import { PlaylistError } from './playlist.ts'
import { type Playable, type Player, usePlayer } from './use-player.ts'
import { DEFAULT_VOLUME } from './volume.ts'

/** Floats at the end of the page; says nothing until it is asked to. */
export function MusicPlayer() {
  const { t } = useTranslation('proxy-defense')
  const settings = useQuery(music())
  const url = settings.data?.playlistUrl
  const list = useQuery(playlist(url))
  const isLoading = settings.isPending || (list.isPending && url !== null && !settings.isError)
  const error = settings.error ?? list.error
  const tracks: readonly Playable[] | undefined = url === null ? ownPieces(t('music.own')) : list.data
  const [isExpanded, setIsExpanded] = useState(false)
  const isReady = tracks !== undefined && tracks.length > 0
  return (
    <section className={classes['player']} data-collapsed={(isReady && !isExpanded) || undefined} aria-label={t('music.player')}>
      {isLoading ? (
        <div className={classes['row']} role="status">
          <Loader size={16} aria-hidden />
          <Text size="sm">{t('music.loading')}</Text>
        </div>
      ) : isReady ? (
        <Controls
          tracks={tracks}
          serviceUrl={settings.data?.serviceUrl}
          isExpanded={isExpanded}
          onToggle={() => setIsExpanded(!isExpanded)}
        />
      ) : (
        <Failure error={error} onRetry={() => void (settings.isError ? settings.refetch() : list.refetch())} />
      )}
    </section>
  )
}

/** Nothing, where the browser cannot play what we make. */
function ownPieces(author: string): Playable[] {
  if (new Audio().canPlayType('audio/wav') === '') return []
  return PIECES.map((piece) => ({ piece, title: piece.title, author }))
}

function Failure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation('proxy-defense')
  return (
    <Alert color="red" variant="light" title={t('music.error')} className={classes['error']!}>
      {useProblemText(error)}
      <Button size="compact-sm" variant="default" mt="xs" onClick={onRetry} display="block">
        {t('music.retry')}
      </Button>
    </Alert>
  )
}

function useProblemText(error: Error | null): string {
  const { t } = useTranslation('proxy-defense')
  if (error === null) return t('music.noTracks')
  if (!(error instanceof PlaylistError)) return t('music.problems.failed')
  const { problem } = error
  return problem.kind === 'http' ? t('music.problems.http', { status: problem.status }) : t(`music.problems.${problem.kind}`)
}

interface ControlsProps {
  tracks: readonly Playable[]
  serviceUrl: string | undefined
  isExpanded: boolean
  onToggle: () => void
}

function Controls({ tracks, serviceUrl, isExpanded, onToggle }: ControlsProps) {
  const { t } = useTranslation('proxy-defense')
  const player = usePlayer(tracks)
  const title = player.track?.title ?? t('music.unknownTitle')
  const author = player.track?.author ?? t('music.unknownArtist')
  return (
    <>
      {isExpanded && (
        <div className={classes['more']}>
          <Position player={player} />
          <div className={classes['row']}>
            <Icon label={t('music.previous')} icon={IconPlayerSkipBackFilled} onClick={() => player.skip(-1)} />
            <Icon label={t('music.next')} icon={IconPlayerSkipForwardFilled} onClick={() => player.skip(1)} />
            <Volume player={player} />
          </div>
        </div>
      )}
      {player.isBroken && (
        <Text size="xs" c="red" role="alert">
          {t('music.broken')}
        </Text>
      )}
      <div className={classes['row']}>
        <ActionIcon
          variant="default"
          radius="xl"
          aria-label={t(player.isPlaying ? 'music.pause' : 'music.play')}
          loading={player.isBusy}
          onClick={player.toggle}
        >
          {player.isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
        </ActionIcon>
        <div className={classes['words']}>
          <Text size="sm" truncate fw={500} dir="auto">
            {title}
          </Text>
          {isExpanded && (
            <Text size="xs" c="dimmed" truncate dir="auto">
              {author}
            </Text>
          )}
        </div>
        {isExpanded && serviceUrl !== undefined && (
          <ActionIcon component="a" href={serviceUrl} target="_blank" rel="noreferrer" aria-label={t('music.service')}>
            <IconExternalLink size={16} aria-hidden />
          </ActionIcon>
        )}
        {!isExpanded && <IconMusic size={14} className={classes['note']} aria-hidden />}
        <ActionIcon aria-label={t(isExpanded ? 'music.collapse' : 'music.expand')} aria-expanded={isExpanded} onClick={onToggle}>
          {isExpanded ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </ActionIcon>
      </div>
    </>
  )
}

function Position({ player }: { player: Player }) {
  const { t, i18n } = useTranslation('proxy-defense')
  return (
    <div className={classes['position']} dir="ltr">
      <span>{clock(player.position, i18n.language)}</span>
      <Slider
        size="xs"
        thumbLabel={t('music.position')}
        label={null}
        min={0}
        max={Math.max(player.duration, 1)}
        step={1}
        value={Math.min(player.position, Math.max(player.duration, 1))}
        disabled={player.duration === 0}
        onChange={player.seek}
      />
      <span>{clock(player.duration, i18n.language)}</span>
    </div>
  )
}

function Volume({ player }: { player: Player }) {
  const { t } = useTranslation('proxy-defense')
  const [loud, setLoud] = useState(player.volume || DEFAULT_VOLUME)
  const isMuted = player.volume === 0
  return (
    <>
      <Icon
        label={t(isMuted ? 'music.unmute' : 'music.mute')}
        icon={isMuted ? IconVolumeOff : IconVolume}
        onClick={() => {
          if (!isMuted) setLoud(player.volume)
          player.setVolume(isMuted ? loud : 0)
        }}
      />
      <Slider
        size="xs"
        className={classes['volume']!}
        thumbLabel={t('music.volume')}
        label={null}
        min={0}
        max={1}
        step={0.05}
        value={player.volume}
        onChange={player.setVolume}
      />
    </>
  )
}

function Icon({ label, icon: Shape, onClick }: { label: string; icon: typeof IconVolume; onClick: () => void }) {
  return (
    <ActionIcon aria-label={label} onClick={onClick}>
      <Shape size={16} aria-hidden />
    </ActionIcon>
  )
}

/** Minutes and seconds. */
function clock(seconds: number, language: string): string {
  const whole = Math.floor(seconds)
  const twoDigits = numberFormat(language, { minimumIntegerDigits: 2 })
  return `${numberFormat(language).format(Math.floor(whole / 60))}:${twoDigits.format(whole % 60)}`
}
