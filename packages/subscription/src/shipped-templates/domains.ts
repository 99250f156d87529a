/** Countries whose own addresses people commonly reach past the proxy: the country's two letters, and the ends of its domains. */
export const COUNTRIES = {
  iran: { name: 'Addresses in Iran directly', geo: 'ir', suffixes: ['ir', 'xn--mgba3a4f16a'] },
  russia: { name: 'Addresses in Russia directly', geo: 'ru', suffixes: ['ru', 'su', 'xn--p1ai'] },
  china: { name: 'Addresses in China directly', geo: 'cn', suffixes: ['cn', 'xn--fiqs8s', 'xn--fiqz9s'] },
} as const

/**
 * The networks that most advertisements and trackers come from. A short list in the template itself works in every app and
 * needs no file that an app would have to fetch first.
 */
export const AD_DOMAINS = [
  '2mdn.net',
  'adcolony.com',
  'adform.net',
  'adnxs.com',
  'adsrvr.org',
  'amazon-adsystem.com',
  'applovin.com',
  'appsflyer.com',
  'casalemedia.com',
  'chartboost.com',
  'criteo.com',
  'criteo.net',
  'doubleclick.net',
  'googleadservices.com',
  'googlesyndication.com',
  'inmobi.com',
  'moatads.com',
  'openx.net',
  'outbrain.com',
  'pubmatic.com',
  'rubiconproject.com',
  'scorecardresearch.com',
  'smartadserver.com',
  'supersonicads.com',
  'taboola.com',
  'unityads.unity3d.com',
  'vungle.com',
  'yandexadexchange.net',
] as const
