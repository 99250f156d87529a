import { PAGE_LANGUAGES, type PagePlatform, type PageTranslations } from '@causeway/contract'

/** Languages of the page. Configurations have texts in three of them; in the fourth their English ones stand. */
export const VIEW_LANGUAGES = [...PAGE_LANGUAGES, 'zh'] as const
export type ViewLanguage = (typeof VIEW_LANGUAGES)[number]

/** The page's own words; those of the apps come from the configuration. */
export interface PageTexts {
  name: string
  platforms: Record<PagePlatform, string>
  status: Record<'ACTIVE' | 'LIMITED' | 'EXPIRED' | 'DISABLED', string>
  traffic: string
  unlimited: string
  expires: string
  never: string
  days: (days: number) => string
  install: string
  add: string
  connect: string
  addButton: string
  recommended: string
  link: string
  qr: string
  noApps: string
}

export const pageTexts: Record<ViewLanguage, PageTexts> = {
  en: {
    name: 'English',
    platforms: { ios: 'iPhone, iPad', android: 'Android', pc: 'Computer' },
    status: { ACTIVE: 'Active', LIMITED: 'Traffic used up', EXPIRED: 'Expired', DISABLED: 'Switched off' },
    traffic: 'Traffic',
    unlimited: 'unlimited',
    expires: 'Valid until',
    never: 'without end',
    days: (days) => (days === 1 ? '1 day left' : `${days} days left`),
    install: 'Install the app',
    add: 'Add the subscription',
    connect: 'Connect',
    addButton: 'Add to the app',
    recommended: 'recommended',
    link: 'Link of the subscription',
    qr: 'QR code of the subscription',
    noApps: 'There is no app for this device here yet. Use the link or the QR code.',
  },
  ru: {
    name: 'Русский',
    platforms: { ios: 'iPhone, iPad', android: 'Android', pc: 'Компьютер' },
    status: { ACTIVE: 'Активна', LIMITED: 'Трафик закончился', EXPIRED: 'Срок истёк', DISABLED: 'Отключена' },
    traffic: 'Трафик',
    unlimited: 'без ограничений',
    expires: 'Действует до',
    never: 'бессрочно',
    days: (days) => `осталось ${days} ${russianDays(days)}`,
    install: 'Установите приложение',
    add: 'Добавьте подписку',
    connect: 'Подключитесь',
    addButton: 'Добавить в приложение',
    recommended: 'рекомендуем',
    link: 'Ссылка подписки',
    qr: 'QR-код подписки',
    noApps: 'Для этого устройства приложений пока нет. Используйте ссылку или QR-код.',
  },
  fa: {
    name: 'فارسی',
    platforms: { ios: 'آیفون و آیپد', android: 'اندروید', pc: 'رایانه' },
    status: { ACTIVE: 'فعال', LIMITED: 'ترافیک تمام شده', EXPIRED: 'منقضی', DISABLED: 'غیرفعال' },
    traffic: 'ترافیک',
    unlimited: 'نامحدود',
    expires: 'اعتبار تا',
    never: 'بی‌پایان',
    days: (days) => `${days.toLocaleString('fa')} روز مانده`,
    install: 'برنامه را نصب کنید',
    add: 'اشتراک را بیفزایید',
    connect: 'وصل شوید',
    addButton: 'افزودن به برنامه',
    recommended: 'پیشنهادی',
    link: 'پیوند اشتراک',
    qr: 'کد QR اشتراک',
    noApps: 'هنوز برنامه‌ای برای این دستگاه نیست. از پیوند یا کد QR استفاده کنید.',
  },
  zh: {
    name: '简体中文',
    platforms: { ios: 'iPhone、iPad', android: 'Android', pc: '电脑' },
    status: { ACTIVE: '有效', LIMITED: '流量已用完', EXPIRED: '已到期', DISABLED: '已停用' },
    traffic: '流量',
    unlimited: '不限',
    expires: '有效期至',
    never: '永久',
    days: (days) => `剩余 ${days} 天`,
    install: '安装应用',
    add: '添加订阅',
    connect: '连接',
    addButton: '添加到应用',
    recommended: '推荐',
    link: '订阅链接',
    qr: '订阅二维码',
    noApps: '此设备暂无可用的应用。请使用链接或二维码。',
  },
}

/** Texts of the page that comes with the product, by their English. */
const CHINESE: Readonly<Record<string, string>> = {
  'Open the App Store': '打开 App Store',
  'Open Google Play': '打开 Google Play',
  Download: '下载',
  'Install the app and open it once. Allow it to add a VPN configuration when it asks.':
    '安装应用并打开一次。如果应用请求添加 VPN 配置，请允许。',
  'Press the button below: the app opens and adds the subscription by itself.': '点击下方按钮：应用会打开并自动添加订阅。',
  'Copy the link at the end of this page and add it in the app as a subscription.': '复制本页末尾的链接，在应用中作为订阅添加。',
  'Choose a server and switch the connection on. If one does not work, try another.':
    '选择一个服务器并开启连接。如果无法使用，请换一个。',
}

/** A text of the configuration as its reader gets it. */
export function textFor(text: PageTranslations, language: ViewLanguage): string {
  return language === 'zh' ? (CHINESE[text.en] ?? text.en) : text[language]
}

function russianDays(days: number): string {
  const [last, lastTwo] = [days % 10, days % 100]
  if (last === 1 && lastTwo !== 11) return 'день'
  return last >= 2 && last <= 4 && !(lastTwo >= 12 && lastTwo <= 14) ? 'дня' : 'дней'
}
