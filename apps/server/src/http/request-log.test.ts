import { expect, test } from 'vitest'
import { describeError, maskSecrets } from './request-log.ts'

test.each([
  ['/api/sub/k3Vd_8QwZp0aXr2T', '/api/sub/***'],
  ['/API/Sub//k3Vd/clash?x=1', '/API/Sub//***/clash?x=1'],
  ['/api/sub/outline/k3Vd/ss/YQ==', '/api/sub/outline/***/ss/YQ=='],
  ['/api/users/by-short-uuid/k3Vd', '/api/users/by-short-uuid/***'],
  ['/api/subscriptions/by-short-uuid/k3Vd', '/api/subscriptions/by-short-uuid/***'],
  ['/join/k3Vd_8QwZp0aXr2T', '/join/***'],
  ['//Join//k3Vd/files/a.tar.gz', '//Join//***/files/a.tar.gz'],
  ['/api/users/by-username/ann', '/api/users/by-username/ann'],
  ['/api/x/search?text=https%3A%2F%2Fsub.example.com%2Fk3Vd', '/api/x/search?text=***'],
  ['/api/users?size=25&filters=%5B%7B%22k3Vd%22%7D%5D&start=0', '/api/users?size=25&filters=***&start=0'],
])('the access log shows %s as %s', (url, shown) => {
  expect(maskSecrets(url)).toBe(shown)
})

test('the log tells which rule of the database was broken, not by what', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_shortUuid_key"'), {
    code: '23505',
    detail: 'Key ("shortUuid")=(k3Vd_8QwZp0aXr2T) already exists.',
    where: 'COPY users, line 1: k3Vd_8QwZp0aXr2T',
    client: { _activeQuery: { values: ['k3Vd_8QwZp0aXr2T'] } },
  })
  const told = JSON.stringify(describeError(error))
  expect(told).toContain('users_shortUuid_key')
  expect(told).toContain('23505')
  expect(told).not.toContain('k3Vd')
})
