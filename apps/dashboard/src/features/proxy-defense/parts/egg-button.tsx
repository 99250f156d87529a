import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../../../lib/fetch-code.ts'
import { countEggClick, isEggUnlocked } from './egg.ts'
import classes from './egg-button.module.css'

const HINT_FROM_CLICKS = 10

const EggHint = lazyPart(async () => (await import('./egg-hint.tsx')).EggHint)

/** The logo. Enough clicks reveal the hidden game; once found, the logo links to it for signed-in administrators. */
export function EggButton({ onPlay, children }: { onPlay?: () => void; children: ReactNode }) {
  // Of this visit only: earlier clicks show once clicking goes on.
  const [clicks, setClicks] = useState(0)
  return (
    <span className={classes['egg']}>
      <button
        type="button"
        className={classes['button']}
        onClick={() => {
          if (!isEggUnlocked()) setClicks(countEggClick())
          else onPlay?.()
        }}
      >
        {children}
      </button>
      {clicks >= HINT_FROM_CLICKS && (
        <Suspense>
          <EggHint clicks={clicks} onPlay={onPlay} onClose={() => setClicks(0)} />
        </Suspense>
      )}
    </span>
  )
}
