import {
  PAGE_PLATFORMS,
  type PageAdditionalStep,
  type PageApp,
  type PageButton,
  type PageConfig,
  type PagePlatform,
  type PageTranslations,
} from '@causeway/contract'

/** The state of the editor: the apps of each platform, the shown platform, and the selected app. */
export interface Editor {
  config: PageConfig
  platform: PagePlatform
  /** The place of the app in its list; ids may be typed anew, and be the same for a moment. */
  selected: number | undefined
}

export type AppChange = Partial<Omit<PageApp, 'additionalBeforeAddSubscriptionStep' | 'additionalAfterAddSubscriptionStep'>> & {
  additionalBeforeAddSubscriptionStep?: PageAdditionalStep | undefined
  additionalAfterAddSubscriptionStep?: PageAdditionalStep | undefined
}

const NO_TEXT: PageTranslations = { en: '', fa: '', ru: '' }
export const NEW_BUTTON: PageButton = { buttonLink: '', buttonText: NO_TEXT }
export const NEW_EXTRA_STEP: PageAdditionalStep = { title: NO_TEXT, description: NO_TEXT, buttons: [] }

/** Begins with the first device that has apps, and its first app. */
export function openConfig(config: PageConfig): Editor {
  const platform = PAGE_PLATFORMS.find((one) => config[one].length > 0) ?? 'ios'
  return { config, platform, selected: config[platform].length > 0 ? 0 : undefined }
}

export function selectPlatform(editor: Editor, platform: PagePlatform): Editor {
  return { ...editor, platform, selected: editor.config[platform].length > 0 ? 0 : undefined }
}

export function shownApps({ config, platform }: Editor): readonly PageApp[] {
  return config[platform]
}

/** The names of all apps, by platform. */
export function appNames(config: PageConfig): string[] {
  return PAGE_PLATFORMS.flatMap((platform) => config[platform].map(({ name }) => name))
}

/** At the end of the list, not yet selected. */
export function addApp(editor: Editor, now: Date): Editor {
  const app: PageApp = {
    id: `new-app-${editor.platform}-${now.getTime()}`,
    name: 'New App',
    isFeatured: false,
    urlScheme: '',
    installationStep: { description: NO_TEXT, buttons: [] },
    addSubscriptionStep: { description: NO_TEXT },
    connectAndUseStep: { description: NO_TEXT },
  }
  return withApps(editor, [...shownApps(editor), app])
}

/** A copy right behind, selected, with an id of its own. */
export function duplicateApp(editor: Editor, index: number, now: Date): Editor {
  const apps = shownApps(editor)
  const original = apps[index]
  if (!original) return editor
  const copy = { ...original, id: `${original.id}-${now.getTime()}` }
  return { ...withApps(editor, apps.toSpliced(index + 1, 0, copy)), selected: index + 1 }
}

/** The first of those that are left is selected then. */
export function removeApp(editor: Editor, index: number): Editor {
  const apps = shownApps(editor).toSpliced(index, 1)
  return { ...withApps(editor, apps), selected: apps.length > 0 ? 0 : undefined }
}

/** The selection goes with its app. */
export function moveApp(editor: Editor, from: number, to: number): Editor {
  const chosen = editor.selected === undefined ? undefined : shownApps(editor)[editor.selected]
  const apps = moveItem(shownApps(editor), from, to)
  return { ...withApps(editor, apps), selected: chosen === undefined ? undefined : apps.indexOf(chosen) }
}

/** An optional step set to undefined is taken away. */
export function changeApp(editor: Editor, index: number, change: AppChange): Editor {
  const apps = shownApps(editor).map((app, place) => (place === index ? withoutEmpty({ ...app, ...change }) : app))
  return withApps(editor, apps)
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from]
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}

function withApps(editor: Editor, apps: readonly PageApp[]): Editor {
  return { ...editor, config: { ...editor.config, [editor.platform]: apps } }
}

function withoutEmpty(app: PageApp & AppChange): PageApp {
  return Object.fromEntries(Object.entries(app).filter(([, value]) => value !== undefined)) as unknown as PageApp // required keys never are undefined
}

export interface History {
  past: readonly Editor[]
  present: Editor
  future: readonly Editor[]
  /** The subject of the last change: typing on in one field is one change. */
  subject: string | undefined
}

const MAX_PAST = 100

export function begin(editor: Editor): History {
  return { past: [], present: editor, future: [], subject: undefined }
}

export function step(history: History, next: Editor, subject?: string): History {
  if (next.config === history.present.config) return { ...history, present: next, subject: undefined }
  const isGoingOn = subject !== undefined && subject === history.subject
  const past = isGoingOn ? history.past : [...history.past, history.present].slice(-MAX_PAST)
  return { past, present: next, future: [], subject }
}

export function undo({ past, present, future }: History): History {
  const before = past.at(-1)
  return before ? { past: past.slice(0, -1), present: before, future: [present, ...future], subject: undefined } : begin(present)
}

export function redo({ past, present, future }: History): History {
  const [next, ...rest] = future
  return next
    ? { past: [...past, present], present: next, future: rest, subject: undefined }
    : { past, present, future, subject: undefined }
}

/** Apps that can be shown although some fields are empty. */
export function forPreview(config: PageConfig): unknown {
  return JSON.parse(JSON.stringify(config), (key, value: unknown) => {
    if (typeof value !== 'string' || value.trim() !== '') return value
    if (key === 'en' || key === 'fa' || key === 'ru') return '…'
    return key === 'buttonLink' ? '#' : key === 'id' ? 'app' : value
  }) as unknown
}
