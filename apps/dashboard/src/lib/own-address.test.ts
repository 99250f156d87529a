import { expect, it } from 'vitest'
import { unreachableHost } from './own-address.ts'

it.each([
  ['https://sub.example.com/abc', undefined],
  ['https://203.0.113.7/abc', undefined],
  ['https://172.32.0.1/abc', undefined],
  ['https://[2001:db8::1]/abc', undefined],
  ['http://127.0.0.1:3000/api/sub/abc', '127.0.0.1'],
  ['http://localhost:3000/api/sub/abc', 'localhost'],
  ['http://panel.lan/api/sub/abc', 'panel.lan'],
  ['http://10.1.2.3/api/sub/abc', '10.1.2.3'],
  ['http://172.16.0.9/api/sub/abc', '172.16.0.9'],
  ['http://192.168.1.5/api/sub/abc', '192.168.1.5'],
  ['http://[::1]:3000/api/sub/abc', '[::1]'],
  ['http://[fd00::5]/api/sub/abc', '[fd00::5]'],
  ['/api/sub/abc', ''],
])('a link is warned of only where subscribers cannot reach it: %s', (link, host) => {
  expect(unreachableHost(link)).toBe(host)
})
