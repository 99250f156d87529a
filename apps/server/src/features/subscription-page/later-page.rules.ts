import { PAGE_LANGUAGES, type PageApp, type PageButton, type PageConfig, type PageTranslations } from '@causeway/contract'

// The page in the form of later generations, for page programs that run beside the panel. They replace the word in double braces.

const ICON = 'dot'
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="6" fill="currentColor"/></svg>'
const COLOR = 'cyan'
const LINK = '{{SUBSCRIPTION_LINK}}'

const say = (en: string, fa: string, ru: string): PageTranslations => ({ en, fa, ru })
const texts = {
  installationGuideHeader: say('Installation', 'نصب', 'Установка'),
  connectionKeysHeader: say('Connection keys', 'کلیدهای اتصال', 'Ключи подключения'),
  linkCopied: say('Link copied', 'پیوند رونوشت شد', 'Ссылка скопирована'),
  linkCopiedToClipboard: say('The link is on the clipboard', 'پیوند در بریده‌دان است', 'Ссылка в буфере обмена'),
  getLink: say('Get link', 'گرفتن پیوند', 'Получить ссылку'),
  scanQrCode: say('Scan the QR code', 'کد QR را پویش کنید', 'Сканируйте QR-код'),
  scanQrCodeDescription: say(
    'Scan it with the camera of the device that is to connect.',
    'آن را با دوربین دستگاهی که باید وصل شود پویش کنید.',
    'Сканируйте камерой того устройства, которое нужно подключить.',
  ),
  copyLink: say('Copy link', 'رونوشت پیوند', 'Скопировать ссылку'),
  name: say('Name', 'نام', 'Имя'),
  status: say('Status', 'وضعیت', 'Статус'),
  active: say('Active', 'فعال', 'Активна'),
  inactive: say('Inactive', 'غیرفعال', 'Неактивна'),
  expires: say('Expires', 'پایان', 'Истекает'),
  bandwidth: say('Traffic', 'ترافیک', 'Трафик'),
  scanToImport: say('Scan to import', 'برای افزودن پویش کنید', 'Сканируйте, чтобы добавить'),
  expiresIn: say('Expires in', 'پایان در', 'Истекает через'),
  expired: say('Expired', 'پایان یافته', 'Истекла'),
  unknown: say('Unknown', 'نامعلوم', 'Неизвестно'),
  indefinitely: say('Without end', 'بی‌پایان', 'Бессрочно'),
}
const steps = {
  install: say('Install the app', 'نصب برنامه', 'Установите приложение'),
  add: say('Add the subscription', 'افزودن اشتراک', 'Добавьте подписку'),
  connect: say('Connect', 'اتصال', 'Подключитесь'),
}

export interface PageFrame {
  title: string
  logoUrl: string
  supportUrl: string
}

/** Computers are three platforms there, and one here. */
export function laterPage({ ios, android, pc }: PageConfig, frame: PageFrame) {
  const platform = (name: string, apps: PageApp[]) => ({
    displayName: say(name, name, name),
    svgIconKey: ICON,
    apps: apps.map(laterApp),
  })
  return {
    version: '1',
    locales: [...PAGE_LANGUAGES],
    brandingSettings: frame,
    uiConfig: { subscriptionInfoBlockType: 'expanded', installationGuidesBlockType: 'cards' },
    baseSettings: {
      metaTitle: frame.title,
      metaDescription: frame.title,
      showConnectionKeys: false,
      hideGetLinkButton: false,
    },
    baseTranslations: texts,
    svgLibrary: { [ICON]: DRAWING },
    platforms: {
      ios: platform('iOS', ios),
      android: platform('Android', android),
      windows: platform('Windows', pc),
      macos: platform('macOS', pc),
      linux: platform('Linux', pc),
    },
  }
}

function laterApp(app: PageApp) {
  const { installationStep, addSubscriptionStep, connectAndUseStep } = app
  const [before, after] = [app.additionalBeforeAddSubscriptionStep, app.additionalAfterAddSubscriptionStep]
  const add: { link: string; type: 'subscriptionLink' | 'copyButton'; text: PageTranslations; svgIconKey: string } =
    app.urlScheme === ''
      ? { link: LINK, type: 'copyButton', text: texts.copyLink, svgIconKey: ICON }
      : { link: `${app.urlScheme}${LINK}`, type: 'subscriptionLink', text: steps.add, svgIconKey: ICON }
  return {
    name: app.name,
    featured: app.isFeatured,
    blocks: [
      block(steps.install, installationStep.description, installationStep.buttons.map(external)),
      ...(before ? [block(before.title, before.description, before.buttons.map(external))] : []),
      block(steps.add, addSubscriptionStep.description, [add]),
      ...(after ? [block(after.title, after.description, after.buttons.map(external))] : []),
      block(steps.connect, connectAndUseStep.description, []),
    ],
  }
}

function block(title: PageTranslations, description: PageTranslations, buttons: object[]) {
  return { svgIconKey: ICON, svgIconColor: COLOR, title, description, buttons }
}

function external({ buttonLink, buttonText }: PageButton) {
  return { link: buttonLink, type: 'external', text: buttonText, svgIconKey: ICON }
}
