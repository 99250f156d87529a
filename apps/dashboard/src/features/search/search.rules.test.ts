import { describe, expect, it } from 'vitest'
import { fit, filterEntries, rankGroups, readCommand } from './search.rules.ts'

describe('how well a text fits', () => {
  it.each([
    ['Anna', 'anna', 0],
    ['Annabel', 'ann', 1],
    ['New user', 'us', 2],
    ['joanna_k', 'k', 2],
    ['New API token', 'new token', 3],
    ['New API token', 'token new', 3],
    ['New API token', 'new ken', undefined],
    ['新建 API 令牌', '新建 令牌', 3],
    ['گروه‌های داخلی', 'گروه هاي', 1],
    ['Счёт узла', 'счет', 1],
    ['joanna', 'ann', 4],
    ['joanna', 'x', undefined],
  ])('%s for %s', (label, text, expected) => {
    expect(fit(label, text)).toBe(expected)
  })
})

it('the best entries come first, other words of theirs count less, and groups follow their best', () => {
  const entries = [
    { id: '1', label: 'Old hosts' },
    { id: '2', label: 'Hosts' },
    { id: '3', label: 'Servers', words: 'machines, hosts of all' },
    { id: '4', label: 'Users' },
  ]
  expect(filterEntries(entries, 'hos').map(({ id }) => id)).toEqual(['2', '1', '3'])
  const groups = [
    { name: 'people', entries: [{ id: 'a', label: 'joanna' }] },
    { name: 'nothing', entries: [] },
    { name: 'things', entries: [{ id: 'b', label: 'Anna 1' }] },
    { name: 'by mail', entries: [{ id: 'c', label: 'somebody' }] },
  ]
  expect(rankGroups(groups, 'ann').map(({ name }) => name)).toEqual(['things', 'people', 'by mail'])
})

it.each([
  ['disable Warsaw 1', { verb: 'disable', object: 'Warsaw 1' }],
  ['DIS warsaw', { verb: 'disable', object: 'warsaw' }],
  ['turn off warsaw', { verb: 'disable', object: 'warsaw' }],
  ['отключить Варшава', { verb: 'disable', object: 'Варшава' }],
  ['禁用华沙', { verb: 'disable', object: '华沙' }],
  ['disable', undefined],
  ['di warsaw', undefined],
  ['warsaw', undefined],
])('%s asks for %o', (text, expected) => {
  expect(readCommand(text, { enable: 'enable', disable: 'disable, turn off, отключить, 禁用' })).toEqual(expected)
})

// The words that people use for what they look for, in each language, and where those lead.
const PEOPLES_WORDS = {
  en: {
    password: 'password',
    session: 'sessions',
    backup: 'backups',
    export: 'users',
    'log out': 'logout',
    'new link': 'users',
    move: 'internalSquads',
    import: 'users',
  },
  ru: {
    пароль: 'password',
    сеансы: 'sessions',
    бэкап: 'backups',
    экспорт: 'users',
    выйти: 'logout',
    'новая ссылка': 'users',
    переместить: 'internalSquads',
    импорт: 'users',
  },
  fa: {
    گذرواژه: 'password',
    نشست: 'sessions',
    پشتیبان: 'backups',
    خروجی: 'users',
    خروج: 'logout',
    'پیوند تازه': 'users',
    انتقال: 'internalSquads',
    درون‌ریزی: 'users',
  },
  zh: {
    密码: 'password',
    会话: 'sessions',
    备份: 'backups',
    导出: 'users',
    退出: 'logout',
    新链接: 'users',
    移动: 'internalSquads',
    导入: 'users',
  },
} as const

it.each(Object.entries(PEOPLES_WORDS))('in %s actions and pages are found by the words people use', async (language, words) => {
  const { default: texts } = (await import(`../../../public/locales/${language}/search.json`, { with: { type: 'json' } })) as {
    default: { words: Record<string, unknown>; pageWords: Record<string, string> }
  }
  const entries = Object.entries({ ...texts.words, ...texts.pageWords }).flatMap(([id, hidden]) =>
    typeof hidden === 'string' ? [{ id, label: '–', words: hidden }] : [],
  )
  for (const [typed, id] of Object.entries(words))
    expect({ typed, found: filterEntries(entries, typed).map((entry) => entry.id) }).toEqual({
      typed,
      found: expect.arrayContaining([id]),
    })
})
