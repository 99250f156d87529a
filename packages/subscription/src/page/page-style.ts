import { accentStyleOfPage } from '@causeway/contract'

/** The page's looks in the colour of the service, or in that of the product. */
export function pageStyle(accent: string | null): string {
  return accent === null ? PAGE_STYLE : `${PAGE_STYLE}${accentStyleOfPage(accent)}`
}

/** Small enough to stand in the page. Follows the reader's light or dark. */
const PAGE_STYLE = `:root{color-scheme:light dark;--p:#eceff3;--s:#fff;--l:#d3dae2;--t:#1b2229;--d:#525d69;--a:#0b7285;--on:#fff}
@media(prefers-color-scheme:dark){:root{--p:#0c0f14;--s:#12161c;--l:#28303a;--t:#dde4ec;--d:#93a0af;--a:#22b8cf;--on:#06181b}}
*{box-sizing:border-box}body{margin:0;padding:16px;background:var(--p);color:var(--t);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei',Vazirmatn,sans-serif;overflow-wrap:anywhere}
header,main{max-width:560px;margin:0 auto}header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin-bottom:16px}
h1{font-size:20px;margin:0;display:flex;gap:10px;align-items:center}.mark{display:grid;place-content:center;flex:none;width:36px;height:36px;border-radius:10px;background:var(--a);color:var(--on);font-size:18px}h3{font-size:16px;margin:0}p{margin:4px 0}small{color:var(--d);font-size:13px;font-weight:400}
nav{display:flex;flex-wrap:wrap;gap:4px}nav a{padding:10px;border-radius:8px;color:var(--d);text-decoration:none;font-size:14px}
nav a[aria-current]{background:var(--s);color:var(--t);font-weight:600;box-shadow:inset 0 0 0 1px var(--l)}.tabs{margin:20px 0 8px}
.account,details,.address{background:var(--s);border:1px solid var(--l);border-radius:14px;padding:14px 18px;margin-bottom:12px}.account{padding:18px}
.who{font-weight:600;display:flex;justify-content:space-between;gap:8px}.state{font-size:13px;padding:2px 10px;border-radius:99px;color:#b32424;background:color-mix(in srgb,currentColor 12%,transparent)}.state[data-state=ACTIVE]{color:#066e4e}
@media(prefers-color-scheme:dark){.state{color:#ff6b6b}.state[data-state=ACTIVE]{color:#38d9a9}}
dl{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:8px 0 0}dt{font-size:13px;color:var(--d)}dd{margin:0;font-weight:600}dd small{display:block}dd bdi:first-child{font-size:20px}
progress{display:block;width:100%;height:8px;margin-top:8px;border:0;border-radius:4px;background:var(--l);appearance:none;overflow:hidden}progress::-webkit-progress-bar{background:var(--l)}progress::-webkit-progress-value{background:var(--a)}progress::-moz-progress-bar{background:var(--a)}
summary{font-weight:600;cursor:pointer;padding:8px 0}ol{padding-inline-start:22px;margin:8px 0 0}[lang=fa] ol{list-style:persian}li{margin-bottom:14px}li p{white-space:pre-line}
.buttons{display:flex;flex-wrap:wrap;gap:8px;margin-top:8px}.buttons a,.buttons span{padding:10px 14px;border-radius:8px;border:1px solid var(--l);color:var(--t);text-decoration:none;min-height:44px}
.buttons a.main{background:var(--a);border-color:var(--a);color:var(--on);font-weight:600}.none{color:var(--d);padding:12px 0}
.address svg{display:block;width:min(100%,240px);margin:0 auto 12px;background:#fff;border-radius:8px;fill:#000}.address label{font-size:13px;color:var(--d)}
input{width:100%;padding:9px 10px;border:1px solid var(--l);border-radius:8px;background:var(--p);color:var(--t);font:16px/1.5 ui-monospace,monospace}
a:focus-visible,summary:focus-visible,input:focus-visible{outline:2px solid var(--a);outline-offset:2px}`
