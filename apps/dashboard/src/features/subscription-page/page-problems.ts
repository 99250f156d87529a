import { pageConfigProblems } from '@causeway/contract'
import type { TFunction } from 'i18next'

type T = TFunction<'subscription-page'>

/** Everything that is wrong with an edited configuration, in the words of the fields. Of a file, its paths are the places. */
export function problemsInWords(t: T, config: unknown): string[] {
  return pageConfigProblems(config).map((problem) => {
    const [, platform, index, rest = '', said = ''] =
      /^config\.(ios|android|pc)(?:\[(\d+)\])?((?:\.\w+(?:\[\d+\])?)*): (.*)$/s.exec(problem) ?? []
    if (!isPlatform(platform)) return problem
    const app = index === undefined ? [] : [appName(t, config, platform, Number(index))]
    const place = [
      t(`platform.${platform}`),
      ...app,
      ...rest
        .split('.')
        .slice(1)
        .flatMap((part) => partInWords(t, part)),
    ]
    return `${place.join(' › ')}: ${problemInWords(t, said, config)}`
  })
}

const isPlatform = (text: string | undefined) => text === 'ios' || text === 'android' || text === 'pc'

function appName(t: T, config: unknown, platform: string, index: number): string {
  const apps: unknown = Reflect.get(Object(config), platform)
  const name: unknown = Reflect.get(Object(Array.isArray(apps) ? apps[index] : undefined), 'name')
  const number = index + 1
  return typeof name === 'string' && name.trim() !== '' ? t('problem.named', { number, name }) : t('problem.app', { number })
}

const PARTS = {
  id: 'id',
  name: 'name',
  urlScheme: 'urlScheme',
  isFeatured: 'isFeatured',
  isNeedBase64Encoding: 'isNeedBase64Encoding',
  installationStep: 'step.installation',
  additionalBeforeAddSubscriptionStep: 'step.additionalBeforeAddSubscriptionStep',
  addSubscriptionStep: 'step.add',
  additionalAfterAddSubscriptionStep: 'step.additionalAfterAddSubscriptionStep',
  connectAndUseStep: 'step.connect',
  title: 'stepTitle',
  description: 'stepDescription',
  buttons: 'buttons',
  buttonLink: 'buttonLink',
  buttonText: 'buttonText',
  en: 'language.en',
  fa: 'language.fa',
  ru: 'language.ru',
} as const

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)

function partInWords(t: T, part: string): string {
  const [, name = part, index] = /^(\w+?)(?:\[(\d+)\])?$/.exec(part) ?? []
  if (index !== undefined) return t('buttonNumber', { number: Number(index) + 1 })
  return isPart(name) ? t(PARTS[name]) : part
}

function problemInWords(t: T, said: string, config: unknown): string {
  const most = /^must have at most (\d+) (characters|apps|buttons)$/.exec(said)
  if (most) return t(`problem.${most[2] as 'characters' | 'apps' | 'buttons'}`, { most: Number(most[1]) }) // as just matched
  const shared = /^is the id of config\.(\w+)\[(\d+)\] too/.exec(said)
  if (shared) return t('problem.sharedId', { app: appName(t, config, shared[1] ?? '', Number(shared[2])) })
  switch (said) {
    case 'must not be empty':
    case 'must be a non-empty string':
      return t('problem.empty')
    case 'must start with a lowercase letter':
      return t('problem.id')
    case 'must not be a link that a browser runs':
      return t('problem.link')
    case 'must not contain the character U+0000':
      return t('problem.nul')
    default:
      return t('problem.form')
  }
}
