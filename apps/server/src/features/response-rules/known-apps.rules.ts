/** An app, and how it names itself when it fetches a subscription. */
export interface KnownApp {
  name: string
  platform: string
  userAgent: string
}

type Line = readonly [name: string, platform: string, userAgent: string]

const lines: readonly Line[] = [
  ['Happ', 'iOS', 'Happ/3.5.0'],
  ['Happ', 'Android', 'Happ/3.4.1/Android'],
  ['Happ', 'Windows', 'Happ/2.0.5/Windows'],
  ['INCY', 'iOS', 'INCY/2.1.0'],
  ['INCY', 'Android', 'INCY/2.0.3'],
  ['v2rayNG', 'Android', 'v2rayNG/1.10.5'],
  ['v2rayNG, old', 'Android', 'v2rayNG/1.8.5'],
  ['v2rayN', 'Windows', 'v2rayN/7.12.0'],
  ['v2rayN, old', 'Windows', 'v2rayN/6.23'],
  ['Streisand', 'iOS', 'Streisand/1.6'],
  ['V2Box', 'iOS', 'V2Box 4.2;IOS 18.1'],
  ['Shadowrocket', 'iOS', 'Shadowrocket/2070 CFNetwork/1494.0.7 Darwin/23.4.0'],
  ['FoXray', 'iOS', 'FoXray/3.9.1'],
  ['Fair VPN', 'iOS', 'FairVPN/1.7'],
  ['OneXray', 'iOS', 'OneXray/2.3.0'],
  ['Npv Tunnel', 'iOS', 'NpvTunnel/1.9'],
  ['Xray', 'Android', 'io.github.saeeddev94.xray/11.7.1'],
  ['SimpleXray', 'Android', 'SimpleXray/1.10.8'],
  ['v2RayTun', 'iOS', 'v2raytun/ios'],
  ['v2RayTun', 'Android', 'v2raytun/android'],
  ['v2RayTun', 'Windows', 'v2raytun/windows'],
  ['NekoBox', 'Android', 'NekoBox/Android/1.3.8 (Prefer ClashMeta Format)'],
  ['Nekoray', 'Windows', 'NekoRay/4.0.1'],
  ['Throne', 'Windows', 'Throne/1.0.6'],
  ['Exclave', 'Android', 'Exclave/0.14.2'],
  ['husi', 'Android', 'husi/0.9.0'],
  ['Hiddify', 'Android', 'HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box'],
  ['Hiddify', 'Windows', 'HiddifyNext/2.5.7 (windows) like ClashMeta v2ray sing-box'],
  ['FlClash', 'Android', 'FlClash/0.8.80'],
  ['FlClash', 'Windows', 'FlClash/v0.8.80 clash-verge Platform/windows'],
  ['FlClash X', 'Android', 'FlClash X/v0.3.1 Platform/android'],
  ['FlClashX', 'Windows', 'FlClashX/0.3.1'],
  ['Flowvy', 'Windows', 'Flowvy/2.1.0'],
  ['Clash Verge', 'Windows', 'clash-verge/v2.2.0'],
  ['Koala Clash', 'Windows', 'koala-clash/v0.2.5'],
  ['Prizrak-Box', 'Windows', 'prizrak-box/1.2.0'],
  ['Clash Nyanpasu', 'Linux', 'clash-nyanpasu/v1.6.1'],
  ['Clash Meta', 'Android', 'ClashMetaForAndroid/2.11.5.Meta'],
  ['ClashX Meta', 'macOS', 'ClashX Meta/1.4.8'],
  ['Mihomo Party', 'Windows', 'mihomo.party/v1.7.3 (clash.meta)'],
  ['Sparkle', 'Windows', 'Sparkle/1.6.14 (clash.meta)'],
  ['mihomo', 'Linux', 'mihomo/1.19.2'],
  ['Clash Mi', 'iOS', 'ClashMi/1.0.10'],
  ['OpenClash', 'Router', 'clash.meta'],
  ['Nikki', 'Router', 'clash.meta/alpha'],
  ['Clash for Windows', 'Windows', 'ClashforWindows/0.20.39'],
  ['ClashX', 'macOS', 'ClashX/1.118.1 (com.west2online.ClashX)'],
  ['Clash', 'Linux', 'Clash/1.20.0'],
  ['murge', 'macOS', 'Murge/1.0'],
  ['Stash', 'iOS', 'Stash/3.1.0 Clash/1.9.0'],
  ['Stash', 'macOS', 'Stash/2.7.0'],
  ['Surge', 'iOS', 'Surge iOS/3387'],
  ['Loon', 'iOS', 'Loon/762 CFNetwork/1494.0.7'],
  ['Quantumult X', 'iOS', 'Quantumult%20X/1.4.1'],
  ['sing-box', 'Android', 'SFA/1.12.8 (sing-box 1.12.8; language en_US)'],
  ['sing-box', 'iOS', 'SFI/1.12.8 (Build 1; sing-box 1.12.8)'],
  ['sing-box', 'macOS', 'SFM/1.12.8 (Build 1; sing-box 1.12.8)'],
  ['sing-box, old', 'Android', 'SFA/1.9.7 (sing-box 1.9.7)'],
  ['sing-box', 'tvOS', 'SFT/1.12.8 (sing-box 1.12.8)'],
  ['Karing', 'Android', 'Karing/1.2.1.804 android'],
  ['Karing', 'iOS', 'Karing/1.2.1.804 ios'],
  ['RabbitHole', 'iOS', 'RabbitHole/1.0.6 (sing-box 1.12.4)'],
  ['Outline', 'Android', 'Outline/1.14.0'],
  ['Shadowsocks', 'Android', 'Shadowsocks/5.3.4'],
  ['curl', 'Linux', 'curl/8.9.1'],
  [
    'Chrome',
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
  ],
  [
    'Safari',
    'iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox', 'Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'],
]

/** Apps that operators meet, for what rules would do to each. */
export const knownApps: readonly KnownApp[] = lines.map(([name, platform, userAgent]) => ({ name, platform, userAgent }))

/** Headers that such an app sends. */
export function headersOfApp(userAgent: string): Record<string, string> {
  return { 'user-agent': userAgent, accept: userAgent.startsWith('Mozilla/') ? 'text/html,application/xhtml+xml' : '*/*' }
}
