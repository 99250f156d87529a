// Texts of the job board in the product's four languages. The page has no script, so they are here.

export const LANGUAGES = ['en', 'ru', 'fa', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

const en = {
  title: 'Queues',
  open: 'Waiting and running',
  ended: 'Ended',
  recurring: 'Recurring',
  nothing: 'Nothing is waiting.',
  nothingEnded: 'Nothing has ended yet.',
  job: 'Job',
  state: 'State',
  progress: 'Progress',
  asked: 'Asked for',
  endedAt: 'Ended',
  last: 'Last run',
  next: 'Next run',
  runs: 'Runs',
  action: 'Action',
  cancel: 'Cancel',
  cancelOf: 'Cancel: {job}',
  refresh: 'Refresh',
  follow: 'Follow live',
  unfollow: 'Stop following',
  queued: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  cannotCancel: 'This job has ended meanwhile, or cannot be cancelled.',
  signInTitle: 'Sign in to see the queues',
  signInText: 'This page is open to a signed-in administrator. Sign in to the dashboard in this browser, then open it again.',
  signIn: 'Go to the sign-in page',
}

export type Words = typeof en

const ru: Words = {
  title: 'Очереди',
  open: 'Ожидают и выполняются',
  ended: 'Завершённые',
  recurring: 'Периодические',
  nothing: 'Ничего не ожидает.',
  nothingEnded: 'Пока ничего не завершено.',
  job: 'Задача',
  state: 'Состояние',
  progress: 'Ход выполнения',
  asked: 'Поставлена',
  endedAt: 'Завершена',
  last: 'Последний запуск',
  next: 'Следующий запуск',
  runs: 'Запусков',
  action: 'Действие',
  cancel: 'Отменить',
  cancelOf: 'Отменить: {job}',
  refresh: 'Обновить',
  follow: 'Следить',
  unfollow: 'Не следить',
  queued: 'ожидает',
  running: 'выполняется',
  done: 'готово',
  failed: 'ошибка',
  cancelled: 'отменено',
  cannotCancel: 'Эта задача уже завершилась, или её нельзя отменить.',
  signInTitle: 'Войдите, чтобы увидеть очереди',
  signInText: 'Страница открыта для вошедшего администратора. Войдите в панель в этом браузере и откройте её снова.',
  signIn: 'На страницу входа',
}

const fa: Words = {
  title: 'صف‌ها',
  open: 'در انتظار و در حال اجرا',
  ended: 'پایان‌یافته',
  recurring: 'دوره‌ای',
  nothing: 'چیزی در انتظار نیست.',
  nothingEnded: 'هنوز چیزی پایان نیافته است.',
  job: 'کار',
  state: 'وضعیت',
  progress: 'پیشرفت',
  asked: 'درخواست',
  endedAt: 'پایان',
  last: 'آخرین اجرا',
  next: 'اجرای بعدی',
  runs: 'تعداد اجرا',
  action: 'اقدام',
  cancel: 'لغو',
  cancelOf: 'لغو: {job}',
  refresh: 'تازه‌سازی',
  follow: 'دنبال کردن زنده',
  unfollow: 'توقف دنبال کردن',
  queued: 'در انتظار',
  running: 'در حال اجرا',
  done: 'انجام شد',
  failed: 'ناموفق',
  cancelled: 'لغو شد',
  cannotCancel: 'این کار پایان یافته است یا نمی‌توان آن را لغو کرد.',
  signInTitle: 'برای دیدن صف‌ها وارد شوید',
  signInText: 'این صفحه برای مدیر واردشده باز است. در همین مرورگر وارد داشبورد شوید و دوباره آن را باز کنید.',
  signIn: 'رفتن به صفحهٔ ورود',
}

const zh: Words = {
  title: '队列',
  open: '等待和运行中',
  ended: '已结束',
  recurring: '周期任务',
  nothing: '没有等待的任务。',
  nothingEnded: '还没有结束的任务。',
  job: '任务',
  state: '状态',
  progress: '进度',
  asked: '提交时间',
  endedAt: '结束时间',
  last: '上次运行',
  next: '下次运行',
  runs: '运行次数',
  action: '操作',
  cancel: '取消',
  cancelOf: '取消：{job}',
  refresh: '刷新',
  follow: '实时跟踪',
  unfollow: '停止跟踪',
  queued: '等待',
  running: '运行中',
  done: '完成',
  failed: '失败',
  cancelled: '已取消',
  cannotCancel: '此任务已结束，或无法取消。',
  signInTitle: '登录后查看队列',
  signInText: '此页面仅对已登录的管理员开放。请在此浏览器中登录面板，然后重新打开。',
  signIn: '前往登录页面',
}

const WORDS: Record<Language, Words> = { en, ru, fa, zh }

/** The names of kinds, in the order of LANGUAGES. */
const KINDS: Record<string, readonly [en: string, ru: string, fa: string, zh: string]> = {
  resetUsers: [
    'Reset traffic of selected users',
    'Сброс трафика выбранных пользователей',
    'بازنشانی ترافیک کاربران انتخابی',
    '重置所选用户的流量',
  ],
  resetAllUsers: [
    'Reset traffic of all users',
    'Сброс трафика всех пользователей',
    'بازنشانی ترافیک همهٔ کاربران',
    '重置所有用户的流量',
  ],
  resetByStrategy: ['Periodic traffic reset', 'Периодический сброс трафика', 'بازنشانی دوره‌ای ترافیک', '周期性流量重置'],
  revokeUsers: ['Revoke subscriptions', 'Отзыв подписок', 'ابطال اشتراک‌ها', '撤销订阅'],
  extendUsers: ['Extend users', 'Продление пользователей', 'تمدید کاربران', '延长用户有效期'],
  updateUsers: ['Update selected users', 'Изменение выбранных пользователей', 'به‌روزرسانی کاربران انتخابی', '更新所选用户'],
  updateAllUsers: ['Update all users', 'Изменение всех пользователей', 'به‌روزرسانی همهٔ کاربران', '更新所有用户'],
  deleteUsersByStatus: [
    'Delete users of a status',
    'Удаление пользователей по статусу',
    'حذف کاربران بر اساس وضعیت',
    '按状态删除用户',
  ],
  addAllToSquad: ['Add all users to a squad', 'Добавление всех в сквад', 'افزودن همهٔ کاربران به گروه', '将所有用户加入小组'],
  removeAllFromSquad: [
    'Remove all users from a squad',
    'Удаление всех из сквада',
    'حذف همهٔ کاربران از گروه',
    '将所有用户移出小组',
  ],
  forgetNodeUsage: [
    'Delete the usage of a deleted node',
    'Удаление трафика удалённого узла',
    'حذف مصرف نود حذف‌شده',
    '删除已移除节点的用量',
  ],
  rollOutProfile: [
    'Roll out a config profile',
    'Поэтапное обновление профиля',
    'انتشار مرحله‌ای پروفایل پیکربندی',
    '分批发布配置方案',
  ],
  deliverClosingRule: [
    'Deliver the closing rule to nodes',
    'Доставка закрывающего правила на узлы',
    'رساندن قاعدهٔ بستن به نودها',
    '向节点下发封闭规则',
  ],
  findOpenNodes: [
    'Find nodes without the closing rule',
    'Поиск узлов без закрывающего правила',
    'یافتن نودهای بدون قاعدهٔ بستن',
    '查找没有封闭规则的节点',
  ],
  expireUsers: ['Expire users', 'Истечение срока пользователей', 'منقضی کردن کاربران', '使用户到期'],
  limitUsers: ['Limit users', 'Ограничение пользователей', 'محدود کردن کاربران', '限制用户'],
  foldUserCounts: ['Fold user counts', 'Свёртка счётчиков пользователей', 'تجمیع شمارش کاربران', '合并用户计数'],
  correctUserCounts: ['Correct user counts', 'Проверка счётчиков пользователей', 'تصحیح شمارش کاربران', '校正用户计数'],
  startTrafficResets: [
    'Start periodic traffic resets',
    'Запуск периодических сбросов',
    'آغاز بازنشانی‌های دوره‌ای',
    '启动周期性流量重置',
  ],
  resetNodesTraffic: ['Reset node traffic', 'Сброс трафика узлов', 'بازنشانی ترافیک نودها', '重置节点流量'],
  reviewNodesTraffic: ['Review node traffic', 'Проверка трафика узлов', 'بررسی ترافیک نودها', '检查节点流量'],
  turnTrafficSums: ['Add up recent traffic of users', 'Подсчёт недавнего трафика', 'جمع ترافیک اخیر کاربران', '汇总用户近期流量'],
  orderTraffic: [
    'Order users by traffic',
    'Порядок пользователей по трафику',
    'مرتب کردن کاربران بر پایهٔ ترافیک',
    '按流量排列用户',
  ],
  keepUsagePartitions: ['Prepare months of usage', 'Подготовка месяцев статистики', 'آماده‌سازی ماه‌های مصرف', '准备用量月份'],
  renewAuthority: [
    'Renew the authority of the nodes',
    'Продление удостоверяющего центра узлов',
    'تمدید مرجع گواهی نودها',
    '更新节点的证书颁发机构',
  ],
  countTopUsers: [
    'Count the heaviest users of nodes',
    'Подсчёт самых активных пользователей узлов',
    'شمارش پرمصرف‌ترین کاربران نودها',
    '统计节点的高流量用户',
  ],
  forgetSignIns: ['Forget old sign-ins', 'Удаление старых входов', 'حذف ورودهای قدیمی', '清除旧登录记录'],
  noteOnline: ['Note who is online', 'Учёт пользователей онлайн', 'ثبت کاربران برخط', '记录在线用户'],
  reviewClock: ['Watch the clock', 'Проверка часов', 'بررسی ساعت', '检查时钟'],
  forgetByAge: ['Delete what is too old', 'Удаление устаревших записей', 'حذف موارد قدیمی', '清除过期数据'],
}

export function wordsOf(language: Language): Words {
  return WORDS[language]
}

/** The name of a kind; its identifier when it is unknown here. */
export function kindName(kind: string, language: Language): string {
  return kindNames(language).get(kind) ?? kind
}

export function kindNames(language: Language): Map<string, string> {
  const place = LANGUAGES.indexOf(language)
  return new Map(Object.entries(KINDS).map(([kind, names]) => [kind, names[place] ?? kind]))
}

/** The language chosen in the dashboard, as the link from there says; else the browser's first that the product has. */
export function languageOf(acceptLanguage: string | undefined, chosen?: string): Language {
  const asked = LANGUAGES.find((language) => language === chosen)
  if (asked) return asked
  for (const entry of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const known = LANGUAGES.find((language) => entry.trim().startsWith(language))
    if (known) return known
  }
  return 'en'
}
