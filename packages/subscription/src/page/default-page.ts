import type { PageApp, PageButton, PageConfig, PageTranslations } from '@causeway/contract'

// The page that comes with the product. Which apps it names is a choice; administrators make their own in the builder.

const text = (en: string, fa: string, ru: string): PageTranslations => ({ en, fa, ru })

const appStore = text('Open the App Store', 'باز کردن App Store', 'Открыть App Store')
const googlePlay = text('Open Google Play', 'باز کردن Google Play', 'Открыть Google Play')
const download = text('Download', 'بارگیری', 'Скачать')

const install = text(
  'Install the app and open it once. Allow it to add a VPN configuration when it asks.',
  'برنامه را نصب و یک بار باز کنید. اگر اجازهٔ افزودن پیکربندی VPN خواست، بپذیرید.',
  'Установите приложение и один раз откройте его. Разрешите добавить конфигурацию VPN, если оно об этом спросит.',
)
const addByButton = text(
  'Press the button below: the app opens and adds the subscription by itself.',
  'دکمهٔ زیر را بزنید: برنامه باز می‌شود و اشتراک را خودش می‌افزاید.',
  'Нажмите кнопку ниже: приложение откроется и само добавит подписку.',
)
const addByLink = text(
  'Copy the link at the end of this page and add it in the app as a subscription.',
  'پیوند پایین این صفحه را رونوشت کنید و در برنامه به‌عنوان اشتراک بیفزایید.',
  'Скопируйте ссылку в конце этой страницы и добавьте её в приложении как подписку.',
)
const connect = text(
  'Choose a server and switch the connection on. If one does not work, try another.',
  'سروری برگزینید و اتصال را روشن کنید. اگر یکی کار نکرد، دیگری را بیازمایید.',
  'Выберите сервер и включите соединение. Если один не работает, попробуйте другой.',
)

interface Choice {
  id: string
  name: string
  link: string
  linkText: PageTranslations
  /** Empty for apps that no link can open. */
  urlScheme: string
  isFeatured?: boolean
}

function app({ id, name, link, linkText, urlScheme, isFeatured = false }: Choice): PageApp {
  const button: PageButton = { buttonLink: link, buttonText: linkText }
  return {
    id,
    name,
    isFeatured,
    urlScheme,
    installationStep: { description: install, buttons: [button] },
    addSubscriptionStep: { description: urlScheme === '' ? addByLink : addByButton },
    connectAndUseStep: { description: connect },
  }
}

const HIDDIFY = 'https://github.com/hiddify/hiddify-app/releases/latest'

export const defaultPage: PageConfig = {
  ios: [
    app({
      id: 'happ-ios',
      name: 'Happ',
      link: 'https://apps.apple.com/app/happ-proxy-utility/id6504287215',
      linkText: appStore,
      urlScheme: 'happ://add/',
      isFeatured: true,
    }),
    app({
      id: 'streisand-ios',
      name: 'Streisand',
      link: 'https://apps.apple.com/app/streisand/id6450534064',
      linkText: appStore,
      urlScheme: 'streisand://import/',
    }),
  ],
  android: [
    app({
      id: 'happ-android',
      name: 'Happ',
      link: 'https://play.google.com/store/apps/details?id=com.happproxy',
      linkText: googlePlay,
      urlScheme: 'happ://add/',
      isFeatured: true,
    }),
    app({
      id: 'v2rayng-android',
      name: 'v2rayNG',
      link: 'https://github.com/2dust/v2rayNG/releases/latest',
      linkText: download,
      urlScheme: 'v2rayng://install-config?url=',
    }),
    app({ id: 'hiddify-android', name: 'Hiddify', link: HIDDIFY, linkText: download, urlScheme: 'hiddify://import/' }),
  ],
  pc: [
    app({
      id: 'hiddify-pc',
      name: 'Hiddify',
      link: HIDDIFY,
      linkText: download,
      urlScheme: 'hiddify://import/',
      isFeatured: true,
    }),
    app({
      id: 'clash-verge-pc',
      name: 'Clash Verge',
      link: 'https://github.com/clash-verge-rev/clash-verge-rev/releases/latest',
      linkText: download,
      urlScheme: 'clash://install-config?url=',
    }),
    app({
      id: 'v2rayn-pc',
      name: 'v2rayN',
      link: 'https://github.com/2dust/v2rayN/releases/latest',
      linkText: download,
      urlScheme: '',
    }),
  ],
}
