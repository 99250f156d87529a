import '@mantine/core/styles.layer.css'
import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useRouterState, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../api/rights/may.tsx'
import { proofStore } from '../api/proof.ts'
import { SIDEBAR_BREAKPOINT } from '../lib/breakpoints.ts'
import { loadFlagFontIfNeeded } from '../lib/flag-font.ts'
import { useStore } from '../lib/store.ts'
import { lazyPart } from '../lib/fetch-code.ts'
import { LoadingBar } from '../ui/frames/loading-bar.tsx'
import { PANE_KEY, toPane } from '../ui/frames/panes.ts'
import { AwayStrip } from './loading/away-strip.tsx'
import { CommandPalette } from './palette/command-palette.tsx'
import { useFetchAhead } from './loading/fetch-ahead.ts'
import { Header } from './header/header.tsx'
import { useRefreshCount } from './header/refresh.ts'
import { closerOfPath } from './nav.ts'
import { useIsSecondFactorDue } from './use-is-second-factor-due.ts'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'

/** The frame around every page of a signed-in administrator. */
export function Shell() {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery(`(max-width: calc(${SIDEBAR_BREAKPOINT} - 1px))`, undefined, { getInitialValueInEffect: false })
  const path = useRouterState({ select: (state) => state.location.pathname })
  const refreshCount = useRefreshCount()
  useFetchAhead()
  const [isOpen, setIsOpen] = useState(!isNarrow)
  const [wasNarrow, setWasNarrow] = useState(isNarrow)
  const [shownPath, setShownPath] = useState(path)

  // Crossing the breakpoint collapses or restores; choosing a page on a narrow screen collapses.
  if (wasNarrow !== isNarrow) {
    setWasNarrow(isNarrow)
    setIsOpen(!isNarrow)
  }
  if (shownPath !== path) {
    setShownPath(path)
    if (isNarrow) setIsOpen(false)
  }

  const content = useRef<HTMLElement>(null)
  const focusedPath = useRef(path)
  // The focus is the browser's. After choosing a page it is inside the page, and not before all menu entries again.
  useEffect(() => {
    if (focusedPath.current === path) return
    focusedPath.current = path
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
  }, [path])

  // The font belongs to the document and is needed by pages only. Without it flags are letters, which is no failure.
  useEffect(() => {
    // Finding out draws on a canvas, which the first rows need not wait for.
    const timer = setTimeout(() => void loadFlagFontIfNeeded().catch(() => undefined))
    return () => clearTimeout(timer)
  }, [])

  const { data: account } = useQuery(accountQuery())
  const closed = closerOfPath(path, account)
  if (useIsSecondFactorDue()) return <Navigate to="/auth/second-factor" replace />
  return (
    <ModalsProvider>
      <a href="#content" className={classes['skip']}>
        {t('skipToContent')}
      </a>
      <button type="button" className={classes['skipToList']} aria-keyshortcuts={PANE_KEY} onClick={() => toPane()}>
        {t('skipToList')}
        <kbd aria-hidden>{PANE_KEY}</kbd>
      </button>
      <div className={classes['frame']} data-open={(isOpen && !isNarrow) || undefined}>
        {isNarrow ? (
          <Drawer
            opened={isOpen}
            onClose={() => setIsOpen(false)}
            position="left"
            size={300}
            withCloseButton={false}
            padding={0}
            attributes={{ content: { 'aria-label': t('nav.label') } }}
            classNames={{ body: classes['drawer']! }}
          >
            <Sidebar />
          </Drawer>
        ) : (
          isOpen && (
            <aside className={classes['sidebar']}>
              <Sidebar />
            </aside>
          )
        )}
        <div className={classes['column']}>
          <Header isMenuOpen={isOpen} onToggleMenu={() => setIsOpen(!isOpen)} />
          <AwayStrip />
          {account?.alerts && account.alerts.length > 0 && <Alerts />}
          <main id="content" ref={content} tabIndex={-1} className={classes['page']} key={`${path} ${refreshCount}`}>
            <Suspense fallback={<LoadingBar />}>{closed === undefined ? <Outlet /> : <Closed by={closed} />}</Suspense>
          </main>
        </div>
      </div>
      <DialogsPart names={['history', 'did', 'entry', 'undo']} Dialogs={HistoryDialogs} />
      <ProofAsked />
      <CommandPalette />
      <Shortcuts />
    </ModalsProvider>
  )
}

const HistoryDialogs = lazyPart(async () => (await import('../features/history/parts/history-dialogs.tsx')).HistoryDialogs)

/** Its code comes where there is something to tell, after the page. */
function Alerts() {
  return (
    <Suspense fallback={null}>
      <AccountAlerts />
    </Suspense>
  )
}

const AccountAlerts = lazyPart(async () => (await import('../features/auth/parts/account-alerts.tsx')).AccountAlerts)

// Its texts are those of administrators.
const Closed = lazyPart(async () => (await import('./closed.tsx')).Closed)

const ProofDialog = lazyPart(async () => (await import('../features/auth/parts/proof-dialog.tsx')).ProofDialog)

/** A dangerous action waits for a proof, wherever it was begun. */
function ProofAsked() {
  const settle = useStore(proofStore)
  return <Suspense fallback={null}>{settle && <ProofDialog onEnd={settle} />}</Suspense>
}

/** Dialogs of every page, fetched with the first of them. They stay then, so that one can close as the others do. */
function DialogsPart({ names, Dialogs }: { names: readonly string[]; Dialogs: ComponentType }) {
  const isOpen = useSearch({ strict: false, select: (search: Record<string, unknown>) => names.some((name) => name in search) })
  const [isWanted, setWanted] = useState(false)
  if (isOpen && !isWanted) setWanted(true)
  return <Suspense fallback={null}>{isWanted && <Dialogs />}</Suspense>
}
