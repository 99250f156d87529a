import { expect, it } from 'vitest'
import { appOf } from './request-history.rules.ts'

it.each([
  ['Happ/3.1.2', { name: 'Happ', version: '3.1.2' }],
  ['v2rayNG/1.10.1 (Android 15)', { name: 'v2rayNG', version: '1.10.1' }],
  ['Happ/3.1.2/ios', { name: 'Happ', version: '3.1.2' }],
  ['curl', { name: 'curl', version: undefined }],
  ['curl/', { name: 'curl', version: undefined }],
  ['/1.0', undefined],
  [' ', undefined],
  ['', undefined],
  [null, undefined],
])('the app of %j is %j', (userAgent, app) => {
  expect(appOf(userAgent)).toEqual(app)
})
