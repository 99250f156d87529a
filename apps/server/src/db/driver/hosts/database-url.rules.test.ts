import { expect, test } from 'vitest'
import { readDatabaseUrl } from './database-url.rules.ts'

const urlsOf = (url: string) => {
  const { hosts, urlOf } = readDatabaseUrl(url)
  return hosts.map(urlOf)
}

test('SCALE-002 an address with one host is used as it stands', () => {
  for (const url of [
    'postgres://me:secret@db.example.com/panel',
    'postgresql://me@[::1]:6432/panel?application_name=x',
    'postgres://me@/panel?host=/run/postgresql',
    'postgres://me@localhost/panel?host=%2Frun%2Fpostgresql&options=-c%20a%3Db',
  ])
    expect(urlsOf(url)).toEqual([url])
})

test('SCALE-002 an address with several hosts is read as libpq reads it, in both its forms', () => {
  expect(urlsOf('postgres://me:p%2Cw@a.example,b.example:6432,[::1]/panel?target_session_attrs=read-write')).toEqual([
    'postgres://me:p%2Cw@a.example:5432/panel',
    'postgres://me:p%2Cw@b.example:6432/panel',
    'postgres://me:p%2Cw@[::1]:5432/panel',
  ])
  expect(urlsOf('postgres://me@/panel?host=a,b&port=1,2&application_name=x')).toEqual([
    'postgres://me@a:1/panel?application_name=x',
    'postgres://me@b:2/panel?application_name=x',
  ])
  expect(urlsOf('postgres://me@/panel?host=/run/a,/run/b')).toEqual([
    'postgres://me@socket/panel?host=%2Frun%2Fa&port=5432',
    'postgres://me@socket/panel?host=%2Frun%2Fb&port=5432',
  ])
})

test('SCALE-002 TLS modes mean what they mean to libpq, and none goes on without TLS where it was asked for', () => {
  const modeOf = (query: string) => urlsOf(`postgres://me@a/panel?${query}`)[0]?.split('?')[1]
  expect(modeOf('sslmode=disable')).toBe('sslmode=disable&uselibpqcompat=true')
  expect(modeOf('sslmode=prefer')).toBe('sslmode=require&uselibpqcompat=true')
  expect(modeOf('sslmode=require')).toBe('sslmode=require&uselibpqcompat=true')
  expect(modeOf('sslmode=verify-ca&sslrootcert=/a.pem')).toBe('sslmode=verify-ca&sslrootcert=%2Fa.pem&uselibpqcompat=true')
  expect(modeOf('sslrootcert=system')).toBe('sslmode=verify-full')
  expect(modeOf('sslmode=no-verify')).toBe('sslmode=no-verify')
})

test('SCALE-002 replicas may be named by any kind of host', () => {
  const { hosts } = readDatabaseUrl('postgres://me@a,b/panel?target_session_attrs=prefer-standby', 'replicas')
  expect(hosts).toEqual([
    { host: 'a', port: 5432 },
    { host: 'b', port: 5432 },
  ])
})

test.each([
  ['mysql://me@a/panel', 'must be an address such as postgres://'],
  ['postgres://me@a,/panel', 'must be an address such as postgres://'],
  ['postgres://me@a:x,b/panel', 'must be an address such as postgres://'],
  ['postgres://me:a#b@c/panel', 'must be an address such as postgres://'],
  ['postgres://me@a,b:99999/panel', 'must be an address such as postgres://'],
  ['postgres://me@a,b/panel?target_session_attrs=standby', 'has target_session_attrs=standby; the database must take writes'],
  ['postgres://me@a/panel?sslmode=on', 'has sslmode=on; use disable, require, verify-ca or verify-full'],
  ['postgres://me@a/panel?sslmode=verify-ca', 'has sslmode=verify-ca, which needs sslrootcert'],
])('SCALE-002 %s is refused with the reason', (url, reason) => {
  expect(() => readDatabaseUrl(url)).toThrow(reason)
})
