import { expect, test } from 'vitest'
import { maskSecrets } from './request-log.ts'

test.each([
  ['/api/sub/k3Vd_8QwZp0aXr2T', '/api/sub/***'],
  ['/API/Sub//k3Vd/clash?x=1', '/API/Sub//***/clash?x=1'],
  ['/api/sub/outline/k3Vd/ss/YQ==', '/api/sub/outline/***/ss/YQ=='],
  ['/api/users/by-short-uuid/k3Vd', '/api/users/by-short-uuid/***'],
  ['/api/subscriptions/by-short-uuid/k3Vd', '/api/subscriptions/by-short-uuid/***'],
  ['/api/users/by-username/ann', '/api/users/by-username/ann'],
])('the access log shows %s as %s', (url, shown) => {
  expect(maskSecrets(url)).toBe(shown)
})
