import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { signInWords } from '../words/signIn.ts';
import { ago, day, exactTime } from '../words/when.ts';
import { SettingsHeader } from './SettingsHeader.tsx';
import { Table } from '../ui/Table.tsx';

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
type Role = (typeof ROLES)[number];

/** The members of the workspace and the open invitations. */
export function MembersPage() {
  const { hub, workspace } = useWorkspace();
  const mayManage = useMay('admin');
  const [isInviting, setInviting] = useState(false);
  const members = useQuery({
    queryKey: [workspace.id, 'members'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/members', { signal })).members,
  });
  return (
    <>
      <SettingsHeader title={settingsWords.members} text={settingsWords.membersText}>
        <Button look="main" reason={mayManage ? undefined : w.needs.admin} onClick={() => setInviting(true)}>
          <UserPlus className="size-4" aria-hidden="true" />
          {settingsWords.invite}
        </Button>
      </SettingsHeader>
      {members.isPending && <Skeleton rows={3} height={44} />}
      {members.error && <ProblemNote error={members.error} onRetry={() => void members.refetch()} />}
      {members.data && (
        <Table
          label={settingsWords.members}
          head={[settingsWords.name, settingsWords.role, settingsWords.joined, settingsWords.lastSeen, '']}
        >
          {members.data.map(member => (
            <MemberRow key={member.user_id} member={member} isLastOwner={isLastOwner(member, members.data)} />
          ))}
        </Table>
      )}
      {mayManage && <Invitations />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function isLastOwner({ role }: Schemas['Member'], members: readonly Schemas['Member'][]): boolean {
  return role === 'owner' && members.filter(each => each.role === 'owner').length === 1;
}

function MemberRow({ member, isLastOwner: isLast }: { member: Schemas['Member']; isLastOwner: boolean }) {
  const { user_id, name, email, role, joined_at, last_seen_at, second_factor } = member;
  const { hub, workspace, user } = useWorkspace();
  const mayManage = useMay('admin');
  const isSelf = user_id === user.id;
  const reason = isLast ? settingsWords.lastOwner : undefined;
  const queries = useQueryClient();
  const tell = useToast();
  const refresh = () => queries.invalidateQueries({ queryKey: [workspace.id, 'members'] });
  const params = { path: { user_id } };
  const change = useMutation({
    mutationFn: (next: Role) => hub.PATCH('/v2/workspace/members/{user_id}', { params, body: { role: next } }),
    onSuccess: async (_, next) => {
      await refresh();
      tell({
        text: settingsWords.roleChanged(name, w.role[next]),
        undo: { label: w.undo, run: () => change.mutate(role) },
      });
    },
  });
  const remove = useMutation({
    mutationFn: () => hub.DELETE('/v2/workspace/members/{user_id}', { params }),
    onSuccess: async () => {
      if (isSelf) return location.assign('/');
      await refresh();
      tell({ text: settingsWords.removed(name) });
    },
  });
  const error = change.error ?? remove.error;
  return (
    <>
      <tr>
        <td>
          <span className="block font-medium">
            {name} {isSelf && <span className="font-normal text-quiet">({settingsWords.you})</span>}
          </span>
          <span className="text-quiet">
            {email}
            {second_factor && ` · ${signInWords.secondFactor.title}`}
          </span>
        </td>
        <td>
          <select
            aria-label={`${settingsWords.role}: ${name}`}
            value={role}
            disabled={!mayManage || isLast || change.isPending}
            title={mayManage ? reason : w.needs.admin}
            onChange={event => change.mutate(event.target.value as Role)}
            className="h-8 rounded-md border border-line-strong bg-paper px-2 disabled:opacity-60 max-md:h-11"
          >
            {ROLES.map(each => (
              <option key={each} value={each} title={settingsWords.roleHint[each]}>
                {w.role[each]}
              </option>
            ))}
          </select>
        </td>
        <td className="whitespace-nowrap text-quiet" title={exactTime(joined_at)}>
          {day(joined_at)}
        </td>
        <td className="whitespace-nowrap text-quiet">
          {last_seen_at === null ? settingsWords.never : ago(last_seen_at)}
        </td>
        <td className="text-right">
          <Button
            look="quiet"
            reason={mayManage || isSelf ? reason : w.needs.admin}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {isSelf ? settingsWords.leave : settingsWords.remove}
          </Button>
        </td>
      </tr>
      {error && (
        <tr>
          <td colSpan={5}>
            <ProblemNote error={error} />
          </td>
        </tr>
      )}
    </>
  );
}

function Invitations() {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const queryKey = [workspace.id, 'invitations'];
  const list = useQuery({
    queryKey,
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/invitations', { signal })).invitations,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => hub.DELETE('/v2/workspace/invitations/{id}', { params: { path: { id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  if (!list.data || list.data.length === 0) return null;
  return (
    <section className="mt-6 space-y-2">
      <h2 className="font-semibold">{settingsWords.invitations}</h2>
      <Table
        label={settingsWords.invitations}
        head={[signInWords.signIn.email, settingsWords.role, settingsWords.expires, '']}
      >
        {list.data.map(({ id, email, role, expires_at }) => (
          <tr key={id}>
            <td>{email}</td>
            <td>{w.role[role]}</td>
            <td className="whitespace-nowrap text-quiet">{ago(expires_at)}</td>
            <td className="text-right">
              <Button look="quiet" disabled={withdraw.isPending} onClick={() => withdraw.mutate(id)}>
                {settingsWords.withdraw}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      {withdraw.error && <ProblemNote error={withdraw.error} />}
    </section>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const invite = useMutation({
    mutationFn: async (body: { email: string; role: Role }) =>
      bodyOf(await hub.POST('/v2/workspace/invitations', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'invitations'] }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    invite.mutate({ email: String(form.get('email')).trim(), role: String(form.get('role')) as Role });
  }
  return (
    <Dialog
      label={settingsWords.invite}
      titled
      onClose={onClose}
      className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border"
    >
      {invite.data ? (
        <div className="space-y-3 p-5">
          <p className="font-medium">{settingsWords.inviteLink}</p>
          <CopyButton text={invite.data.link} className="w-full" />
          <p className="text-quiet">
            {settingsWords.linkOnce} {settingsWords.inviteText}
          </p>
          <Button look="main" className="w-full" onClick={onClose}>
            {settingsWords.done}
          </Button>
        </div>
      ) : (
        <form onSubmit={submit} className="space-y-4 p-5">
          <Field label={signInWords.signIn.email} name="email" type="email" required hint={settingsWords.inviteText} />
          <label className="block space-y-1">
            <span className="font-medium">{settingsWords.role}</span>
            <select name="role" defaultValue="member" className="field">
              {ROLES.map(each => (
                <option key={each} value={each}>
                  {w.role[each]}: {settingsWords.roleHint[each]}
                </option>
              ))}
            </select>
          </label>
          {invite.error && <ProblemNote error={invite.error} />}
          <Button type="submit" look="main" className="w-full" disabled={invite.isPending}>
            {settingsWords.invite}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
