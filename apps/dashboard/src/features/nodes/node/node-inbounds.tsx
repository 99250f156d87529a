import type { Node } from '@causeway/contract'
import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Bytes } from '../../../ui/traffic/bytes.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { hostsQuery } from '../../hosts/hosts.queries.ts'
import { nodesTrafficQuery } from '../metrics/metrics.queries.ts'
import { inboundRows } from './node.rules.ts'
import classes from './node.module.css'

const MOST_HOSTS = 6

/** Entries of users: each inbound with its hosts and its traffic. */
export function NodeInbounds({ node }: { node: Node }) {
  const { t } = useTranslation('nodes')
  const hosts = useQuery(hostsQuery()).data
  const traffic = useQuery({ ...nodesTrafficQuery(), meta: {} }).data?.nodes.find(({ uuid }) => uuid === node.uuid)
  const rows = inboundRows(node.configProfile.activeInbounds, hosts ?? [], traffic, node.uuid)
  return (
    <PageSection title={t('page.inbounds')}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('page.noInbounds')}
        </Text>
      )}
      {rows.length > 0 && (
        <div className={classes['scroll']} tabIndex={0} role="group" aria-label={t('page.inbounds')}>
          <Table aria-label={t('page.inbounds')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('page.tag')}</Table.Th>
                <Table.Th>{t('page.protocol')}</Table.Th>
                <Table.Th>{t('page.hosts')}</Table.Th>
                <Table.Th className={classes['end']!}>{t('page.upload')}</Table.Th>
                <Table.Th className={classes['end']!}>{t('page.download')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ inbound, hosts: ways, uploadBytes, downloadBytes }) => (
                <Table.Tr key={inbound.uuid}>
                  <Table.Td>
                    <bdi>{inbound.tag}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <bdi>{[inbound.type, inbound.network, inbound.security, inbound.port].filter(Boolean).join(' · ')}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <span className={classes['hosts']}>
                      {ways.slice(0, MOST_HOSTS).map((host) => (
                        <Link key={host.uuid} to="/dashboard/management/hosts" search={{ edit: host.uuid }}>
                          <bdi>{host.remark}</bdi>
                        </Link>
                      ))}
                      {ways.length > MOST_HOSTS && (
                        <Link to="/dashboard/management/hosts" search={{ profile: inbound.profileUuid, inbound: inbound.uuid }}>
                          {t('page.moreHosts', { count: ways.length - MOST_HOSTS })}
                        </Link>
                      )}
                      {hosts && ways.length === 0 && (
                        <Text span size="sm" c="dimmed">
                          {t('page.noHosts')}
                        </Text>
                      )}
                    </span>
                  </Table.Td>
                  <Table.Td className={classes['end']!}>
                    {uploadBytes === undefined ? '–' : <Bytes value={uploadBytes} />}
                  </Table.Td>
                  <Table.Td className={classes['end']!}>
                    {downloadBytes === undefined ? '–' : <Bytes value={downloadBytes} />}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </PageSection>
  )
}
