import type { PageLanguage, PagePlatform } from '@causeway/contract'

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

export const pageTexts: Record<PageLanguage, PageTexts> = {
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
}

function russianDays(days: number): string {
  const [last, lastTwo] = [days % 10, days % 100]
  if (last === 1 && lastTwo !== 11) return 'день'
  return last >= 2 && last <= 4 && !(lastTwo >= 12 && lastTwo <= 14) ? 'дня' : 'дней'
}
