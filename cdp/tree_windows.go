package cdp

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// groupPoll is how often a tree is looked at while waiting for its last process
// to go.
const groupPoll = 10 * time.Millisecond

// temporaryDirEnv is the variable that moves the browser's temporary files.
const temporaryDirEnv = "TMP"

// treeSystem is the job object that holds the tree. The system kills what is in it
// when its last handle is closed, which is at the latest when this process ends.
type treeSystem struct{ job windows.Handle }

// jobAccounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type jobAccounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	pageFaults, processes, active, terminated              uint32
}

// begin starts the leader and puts it into a job. A child that it starts before
// that, which no browser is fast enough for, would stay outside.
func (t *tree) begin() error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err == nil {
		err = t.cmd.Start()
	}
	if err != nil {
		_ = windows.CloseHandle(job) // it is empty
		return err
	}
	if err := assign(job, t.cmd.Process.Pid); err != nil {
		_ = t.cmd.Process.Kill() // the error to report is the first
		_ = t.cmd.Wait()
		_ = windows.CloseHandle(job)
		return err
	}
	t.job = job
	return nil
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// awaitLeader waits for the leader. Its number may be given to another process
// afterwards; the job is what is signalled.
func (t *tree) awaitLeader() { _ = t.cmd.Wait() }

func (t *tree) reapLeader() { _ = windows.CloseHandle(t.job) }

func (t *tree) alive() bool {
	var a jobAccounting
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.active > 0
}

func (t *tree) signal() { _ = windows.TerminateJobObject(t.job, 1) }

// attachPipes lets the browser inherit its ends and names their handles.
func attachPipes(cmd *exec.Cmd, read, write *os.File) (switches []string) {
	var handles []syscall.Handle
	for _, f := range []*os.File{read, write} {
		// A handle that cannot be inherited shows as a browser that does not answer.
		_ = windows.SetHandleInformation(windows.Handle(f.Fd()), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
		handles = append(handles, syscall.Handle(f.Fd()))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: handles}
	return []string{"--remote-debugging-pipe", fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", handles[0], handles[1])}
}

// processStart returns when the process started and whether it is running.
func processStart(pid int) (start uint64, running bool) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0, err != windows.ERROR_INVALID_PARAMETER
	}
	defer windows.CloseHandle(process)
	const stillActive = 259
	var code uint32
	if err := windows.GetExitCodeProcess(process, &code); err != nil || code != stillActive {
		return 0, err != nil
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return 0, true
	}
	return uint64(created.Nanoseconds()), true
}

func bootID() string { return "" }

// killGroup ends the browser of a dead owner; its children end with it.
func killGroup(pid int) {
	process, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(process)
	_ = windows.TerminateProcess(process, 1) // whoever waits for the end sees a failure
}

func groupAlive(pid int) bool {
	_, running := processStart(pid)
	return running
}

// ownedByUs is true: the directories that are swept lie in the user's own.
func ownedByUs(fs.FileInfo) bool { return true }

func sharedMemoryFree() (bytes uint64, known bool) { return 0, false }
